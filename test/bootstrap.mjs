// What comes before anything is installed: plain JavaScript, nothing but Node's own modules.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const MIN_NODE_MAJOR = 20;
const OUTPUT_TAIL = 4_000;
const PARENT_LOOK_MS = 500;

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
	await runNpm(['ci'], 'Installing the development packages', report);
}

/**
 * Runs npm in the project's folder and shows the time that it takes. A failure ends this process
 * with npm's own words.
 */
export async function runNpm(args, title, report) {
	const started = Date.now();
	const show = () => report(`${title}: ${Math.round((Date.now() - started) / 1000)} s`);
	show();
	const ticker = setInterval(show, 1_000);
	const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	const keep = (text) => (output = (output + text).slice(-OUTPUT_TAIL));
	npm.stdout.on('data', keep);
	npm.stderr.on('data', keep);
	const code = await new Promise((resolve) => {
		npm.on('error', (error) => {
			keep(error.message);
			resolve(-1);
		});
		npm.on('close', resolve);
	});
	clearInterval(ticker);
	if (code === 0) return;
	console.error(`\n${title} failed (npm ${args.join(' ')}):\n${output.trim()}`);
	process.exit(1);
}

/** Ends this process when `npm run` above it is killed, so that nothing goes on without it. */
export function endWithParent() {
	if (!process.env.npm_lifecycle_event) return;
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && process.exit(1), PARENT_LOOK_MS).unref();
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
