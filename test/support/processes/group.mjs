// Runs a command in this process's own process group and ends the whole group when the command
// ends or when the parent is gone, however it went: the IPC channel closes even on kill -9.
// Plain JavaScript, so that it starts at once and on any Node. See `spawnGroup` in group.mts.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);

function endGroup() {
	process.kill(-process.pid, 'SIGKILL');
}

process.on('disconnect', endGroup);
// A signal for the group is meant for the command; its end is what ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
// With the parent gone, an error that nobody takes would end this process alone.
child.on('spawn', () => process.send({ pid: child.pid }, (error) => error && endGroup()));
child.on('error', (error) => process.send({ error: error.message }, endGroup));
child.on('close', (code, signal) => {
	process.send({ code, signal }, endGroup);
});
