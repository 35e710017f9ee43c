import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';

import type { Progress } from '../../support/cli/progress.mjs';
import { LOGIN } from '../../support/n8n/api.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { temporaryFolder } from '../../support/n8n/folder.mts';
import { credentialFor } from '../../support/n8n/harness.mts';
import { SetupError } from '../../support/n8n/install.mts';
import {
	problemsOf,
	readOutcome,
	withResult,
	type Outcome,
	type Row,
} from '../../support/n8n/leads.mts';
import { startN8n } from '../../support/n8n/n8n.mts';
import { packPackage } from '../../support/packing.mts';
import type { Ledger } from '../../support/sandbox/ledger.mts';
import { startSandbox } from '../../support/sandbox/server.mts';
import { choosePort } from './port.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BULK_MS = 2_000;

const HELP = `Enriches ten leads with this package in a real n8n. Nothing is spent: the service is a sandbox.

  --once      ends by itself; exit code 0 only if the result is right
  --port <n>  of n8n's editor; default 5678, or a free one if that is taken
  --help`;

/**
 * Runs the demo. A trouble of the machine or the command line ends it with one line.
 *
 * @param build builds the package
 */
export async function main(progress: Progress, build: () => Promise<void>): Promise<void> {
	const flags = readFlags();
	if (flags.help === true) {
		progress.clear();
		console.log(HELP);
	} else await demo(flags, progress, build);
}

function readFlags() {
	const boolean = { type: 'boolean' } as const;
	try {
		return parseArgs({ options: { once: boolean, help: boolean, port: { type: 'string' } } })
			.values;
	} catch (error) {
		throw new SetupError(error instanceof Error ? error.message : String(error));
	}
}

async function demo(
	{ once, port: wanted }: ReturnType<typeof readFlags>,
	progress: Progress,
	build: () => Promise<void>,
): Promise<void> {
	const port = await choosePort(wanted);
	const sandbox = await startSandbox({ bulk: BULK_MS });
	await build();
	const folder = await temporaryFolder('package');
	progress.report('Packing the package');
	const tarball = await packPackage(ROOT, folder.path);
	const n8n = await startN8n({ tarball, port, report: progress.report });
	await folder.remove();

	progress.report('Verifying and finding the emails of ten leads');
	const credential = await n8n.api.importCredential(credentialFor(sandbox, 'Contact Data'));
	const example = await readExample('find-and-verify-leads', credential);
	const workflowId = await n8n.api.importWorkflow(example);
	const execution = await n8n.api.runWorkflow(workflowId);
	if (execution.error) {
		const { message, description } = execution.error;
		throw new SetupError(['The workflow failed:', message, description].filter(Boolean).join(' '));
	}
	const outcome = readOutcome(execution);
	progress.clear();
	showResult(outcome, sandbox.ledger);
	const problems = problemsOf(outcome, sandbox.ledger);
	for (const problem of problems) console.error(`Not right: ${problem}`);

	if (once !== true) {
		console.log(`Editor   ${n8n.url}workflow/${workflowId}
Login    ${LOGIN.email}, password ${LOGIN.password}
Service  ${sandbox.baseUrl}

Ctrl-C ends it.`);
		await interrupted();
	}
	await n8n.stop();
	await sandbox.close();
	process.exit(problems.length === 0 ? 0 : 1);
}

/** A table, and a line such as `5 emails verified, 4 found, 1 not found · 6.5 credits spent, 1 refunded · 5.1 seconds`. */
function showResult({ rows, seconds }: Outcome, ledger: Ledger): void {
	const table = new Table({
		head: ['Name', 'Company', 'Email', 'Result'],
		style: { head: [], border: [], compact: true },
	});
	for (const { name, company, email, result } of rows) table.push([name, company, email, result]);
	const count = (result: Row['result']) => withResult(rows, result).length;
	const { charged, refunded } = ledger.totals();
	const line = [
		`${count('verified')} emails verified, ${count('found')} found, ${count('not found')} not found`,
		`${charged} credits spent, ${refunded} refunded`,
		`${seconds.toFixed(1)} seconds`,
	].join(' · ');
	console.log(`${table.toString()}\n\n${line}\n`);
}

/** Resolves at Ctrl-C or SIGTERM, instead of the end at once that those mean until here. */
async function interrupted(): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			process.removeAllListeners(signal);
			process.on(signal, () => resolve());
		}
	});
}
