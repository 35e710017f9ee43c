// What comes before anything is installed: plain JavaScript, nothing but Node's own modules.
import { spawn } from 'node:child_process';
import { readFile, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { lookAt } from '../processes/tree.mjs';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const LAUNCHER = fileURLToPath(new URL('../processes/group.mjs', import.meta.url));
const NEEDED_BYTES = 1024 ** 3;
const MIN_NODE_MAJOR = 20;
const OUTPUT_TAIL = 4_000;
const PARENT_LOOK_MS = 1_000;

/** Ends the process with one clear line where Node is too old. */
export function requireNode() {
	const { node } = process.versions;
	if (Number.parseInt(node, 10) >= MIN_NODE_MAJOR) return;
	console.error(`This needs Node ${MIN_NODE_MAJOR} or newer; this is Node ${node}.`);
	process.exit(1);
}

/** Runs `npm ci` where `node_modules` is missing or is not what the lock file says. */
export async function ensureDependencies(report) {
	if (await isInstalled()) return;
	const { bavail, bsize } = await statfs(ROOT);
	if (bavail * bsize < NEEDED_BYTES) {
		console.error(`Not enough disk space in ${ROOT}: 1 GB is needed for the development packages.`);
		process.exit(1);
	}
	try {
		await runNpm(['ci'], 'Installing the development packages', report);
	} catch (error) {
		console.error(`\n${error.message}`);
		process.exit(1);
	}
}

/**
 * Runs npm and shows the time that it takes. A failure is an error with npm's own words.
 *
 * @param options of `runCommand`: where, and with which environment
 */
export async function runNpm(args, title, report, options) {
	const started = Date.now();
	const show = () => report(`${title}: ${Math.round((Date.now() - started) / 1000)} s`);
	show();
	const ticker = setInterval(show, 1_000);
	let output = '';
	const onOutput = (text) => {
		output = (output + text).slice(-OUTPUT_TAIL);
	};
	const code = await runCommand(['npm', ...args], onOutput, options);
	clearInterval(ticker);
	if (code !== 0) {
		throw new Error(`${title} failed (npm ${args.join(' ')}):\n${output.trim()}`);
	}
}

/**
 * Runs a command and gives its exit code, -1 where it could not run. It ends with this process, and
 * so does all that it starts: see ../processes/group.mjs.
 *
 * @param onOutput gets what it prints; left out, that goes where this process prints
 * @param options folder and environment; left out: the project's, and this process's own
 */
export async function runCommand(command, onOutput, { cwd = ROOT, env = process.env } = {}) {
	const output = onOutput ? 'pipe' : 'inherit';
	const launcher = spawn(process.execPath, [LAUNCHER, ...command], {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', output, output, 'ipc'],
	});
	launcher.stdout?.on('data', onOutput);
	launcher.stderr?.on('data', onOutput);
	let code = -1;
	launcher.on('message', (message) => {
		if ('error' in message) console.error(message.error);
		if ('code' in message) code = message.code ?? -1;
	});
	await new Promise((resolve) => launcher.once('close', resolve));
	return code;
}

/**
 * Makes Ctrl-C and its like end this process in order, so that what it started is ended too. They
 * come twice: from the terminal, and passed on by npm.
 */
export function exitOnSignals() {
	for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
		process.on(signal, () => process.exit(code));
	}
}

/**
 * Ends this process when the `npm run` above it is killed, so that nothing goes on without it. npm
 * runs a script through a shell, which may stay in between.
 */
export function endWithParent() {
	if (!process.env.npm_lifecycle_event) return;
	const { ppid } = process;
	const above = lookAt(ppid);
	const isOrphan = () =>
		process.ppid !== ppid ||
		(/sh$/.test(above?.command ?? '') && lookAt(ppid)?.parent !== above.parent);
	setInterval(() => isOrphan() && process.exit(1), PARENT_LOOK_MS).unref();
}

async function isInstalled() {
	try {
		const [wanted, found] = await Promise.all(
			['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages),
		);
		return Object.entries(wanted).every(
			([path, { version, optional }]) =>
				path === '' || (found[path] ? found[path].version === version : optional),
		);
	} catch {
		return false; // A file is missing or half written: install.
	}
}

async function readPackages(file) {
	return JSON.parse(await readFile(`${ROOT}/${file}`, 'utf8')).packages;
}
