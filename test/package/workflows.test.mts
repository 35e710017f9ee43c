import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './setup.mts';

// What the workflows of GitHub Actions may do, and with what they are made.

interface Step {
	name?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string;
	environment?: string;
	permissions?: Record<string, string>;
	steps: Step[];
}

interface Workflow {
	on: { push?: { tags?: string[]; branches?: string[] } };
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const FOLDER = join(ROOT, '.github/workflows');
const files = await readdir(FOLDER);
const read = async (file: string) => await readFile(join(FOLDER, file), 'utf8');
const workflow = async (file: string) => parse(await read(file)) as Workflow;

const mayMint = ({ permissions = {} }: Pick<Job, 'permissions'>) => 'id-token' in permissions;

test('every action is pinned to a commit', async () => {
	const texts = await Promise.all(files.map(read));
	const uses = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('uses:'));
	expect(uses.length).toBeGreaterThan(0);
	expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('one job of all can mint a token', async () => {
	const minting: string[] = [];
	for (const file of files) {
		const { permissions, jobs } = await workflow(file);
		expect(Object.values(permissions)).not.toContain('write');
		expect(mayMint({ permissions })).toBe(false);
		for (const [name, job] of Object.entries(jobs)) {
			if (mayMint(job)) minting.push(`${file} ${name}`);
			else expect(Object.values(job.permissions ?? {})).not.toContain('write');
		}
	}
	expect(minting).toEqual(['publish.yml publish']);
});

describe('publish.yml', async () => {
	const { on, jobs } = await workflow('publish.yml');
	const { pack, publish } = jobs;
	if (pack === undefined || publish === undefined) throw new Error('It has not its two jobs');
	const commands = (job: Job) => job.steps.flatMap(({ run }) => run ?? []);

	test('starts with a tag of a version alone', () => {
		expect(on).toEqual({ push: { tags: ['v*.*.*'] } });
	});

	test('publishes in a protected environment, what the first job has packed and tested', () => {
		expect(publish).toMatchObject({ needs: 'pack', environment: 'npm' });
		expect(publish.permissions).toEqual({ 'id-token': 'write' });
		expect(pack.permissions).toEqual({ contents: 'read' });
		expect(commands(pack)).toContain('npm test -- all');
		expect(commands(pack).join('\n')).not.toContain('npm publish');
	});

	test('has no code of ours or of dependencies where the token is', () => {
		expect(publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? [])).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
		]);
		expect(commands(publish)).toEqual([
			'echo "$CHECKSUM" | sha256sum --check --strict',
			'npm publish "./${CHECKSUM##* }" --provenance --access public --ignore-scripts',
		]);
	});

	test('packs before the tests bring in what they need', () => {
		const order = pack.steps.map(({ uses = '', run = '' }) => `${uses} ${run}`);
		const at = (part: string) => order.findIndex((step) => step.includes(part));
		expect(at('npm pack')).toBeLessThan(at('upload-artifact'));
		expect(at('upload-artifact')).toBeLessThan(at('npm test'));
	});

	test('takes a tag on main, and no other', async () => {
		const folder = await emptyFolder();
		const git = async (...args: string[]) => await bash(`git ${args.join(' ')}`, folder);
		const commit = '-c user.name=a -c user.email=a@a commit --allow-empty -qm x';
		const run = runOf(pack, 'The tag is on main');
		await git('init -q -b main');
		await git(commit);
		await git('update-ref refs/remotes/origin/main HEAD');
		await bash(run, folder);
		await git(commit);
		await expect(bash(run, folder)).rejects.toThrow();
	});

	test('refuses a tarball of other bytes', async () => {
		const folder = await emptyFolder();
		const name = 'n8n-nodes-contact-data-1.2.3.tgz';
		const sha256 = createHash('sha256').update('packed').digest('hex');
		const run = runOf(publish, 'It is what the first job packed');
		const check = async (bytes: string) => {
			await writeFile(join(folder, name), bytes);
			await bash(run, folder, { CHECKSUM: `${sha256}  ${name}` });
		};
		await check('packed');
		await expect(check('other')).rejects.toThrow();
		await expect(bash(run, folder, { CHECKSUM: '' })).rejects.toThrow();
	});
});

function runOf({ steps }: Job, name: string): string {
	const run = steps.find((step) => step.name === name)?.run;
	if (run === undefined) throw new Error(`No step '${name}'`);
	return run;
}

/** As GitHub runs a step. */
async function bash(script: string, cwd: string, env: Record<string, string> = {}) {
	const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
	return await promisify(execFile)('bash', args, { cwd, env: { ...process.env, ...env } });
}

async function emptyFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'contact-data-workflow-'));
	onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
	return folder;
}
