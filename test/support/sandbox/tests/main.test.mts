import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

const MAIN = new URL('../main.mts', import.meta.url).pathname;
let child: ChildProcess | undefined;

function run(...flags: string[]) {
	const started = spawn(process.execPath, ['--import', 'tsx', MAIN, ...flags]);
	child = started;
	return started;
}

/** What a run that ends by itself leaves behind. */
async function outcome(...flags: string[]) {
	const started = run(...flags);
	const [out, err, [code]] = await Promise.all([
		text(started.stdout),
		text(started.stderr),
		once(started, 'exit') as Promise<[number | null]>,
	]);
	return { out, err, code };
}

afterEach(() => {
	child?.kill('SIGKILL');
});

test('serves until Ctrl-C, then ends cleanly', async () => {
	const started = run(
		'--port',
		'0',
		'--key',
		'my-key',
		'--credits',
		'7',
		'--webhook',
		'http://a.b',
	);
	let out = '';
	for await (const chunk of started.stdout) {
		out += String(chunk);
		if (out.includes('Ctrl-C')) break;
	}
	const [, baseUrl = ''] = /Base URL +(\S+)/.exec(out) ?? [];
	const response = await fetch(`${baseUrl}/account/info`, { headers: { 'x-api-key': 'my-key' } });
	expect(await response.json()).toEqual({ credits: 7, webhooks: ['http://a.b'] });
	const exit = once(started, 'exit');
	started.kill('SIGINT');
	expect(await exit).toEqual([0, null]);
});

test('a port in use: one line, exit code 1', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = String(typeof address === 'object' && address?.port);
	const seen = await outcome('--port', port);
	server.close();
	expect(seen).toEqual({
		out: '',
		err: `Port ${port} is in use; choose another with --port\n`,
		code: 1,
	});
});

test.for([
	[['--credits', 'many'], '--credits must be a number of at least 0, not "many"\n'],
	[['--port', '70000'], '--port must be a whole number of at most 65535, not "70000"\n'],
] as const)('%o: one line, exit code 1', async ([flags, err]) => {
	expect(await outcome(...flags)).toEqual({ out: '', err, code: 1 });
});
