import { fileURLToPath } from 'node:url';

import { readExample } from '../support/n8n/examples.mts';
import { temporaryFolder } from '../support/n8n/folder.mts';
import { SetupError } from '../support/n8n/install.mts';
import { problemsOf, readOutcome, type Outcome } from '../support/n8n/leads.mts';
import { startN8n, type N8n } from '../support/n8n/n8n.mts';
import { packPackage } from '../support/packing.mts';
import type { Progress } from '../support/cli/progress.mjs';
import { choosePort, readFlags, type Flags } from './flags.mts';
import { showTable, summary } from './result.mts';
import { locksFor, openService, type Service } from './service.mts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUN_TIMEOUT_MS = 10 * 60_000;

const HELP = `Enriches ten leads with this package in a real n8n. Nothing is spent: the service is a sandbox.

  --once            ends by itself; exit code 0 only if the result is right
  --port <n>        of n8n's editor; default 5678, or a free one if that is taken
  --base-url <url>  the real service instead of the sandbox, with the key in the variable
                    CONTACT_DATA_API_KEY. This spends credits.
  --help`;

/**
 * Runs the demo. A trouble of the machine or the command line ends it with one line.
 *
 * @param build builds the package
 */
export async function main(progress: Progress, build: () => Promise<void>): Promise<void> {
	const flags = readFlags(process.argv.slice(2));
	if (flags.help) {
		progress.clear();
		console.log(HELP);
	} else await demo(flags, progress, build);
}

async function demo(flags: Flags, progress: Progress, build: () => Promise<void>): Promise<void> {
	const port = await choosePort(flags.port);
	const service = await openService(flags);
	await build();
	const folder = await temporaryFolder('package');
	progress.report('Packing the package');
	const tarball = await packPackage(ROOT, folder.path);
	const { login, env } = locksFor(service);
	const n8n = await startN8n({ tarball, port, login, env, report: progress.report });
	await folder.remove();

	progress.report('Finding and verifying the emails of ten leads');
	const { workflowId, outcome } = await runExample(n8n, service);
	progress.clear();
	console.log(showTable(outcome.rows));
	console.log(`\n${summary(outcome, await service.spent())}\n`);
	const problems = problemsOf(outcome, service.sandbox?.ledger);
	for (const problem of problems) console.error(`Not right: ${problem}`);

	if (!flags.once) {
		console.log(`Editor   ${n8n.url}workflow/${workflowId}`);
		console.log(`Login    ${login.email}, password ${login.password}`);
		console.log(`Service  ${service.baseUrl}`);
		console.log('\nCtrl-C ends it.');
		await interrupted();
	}
	await n8n.stop();
	await service.sandbox?.close();
	process.exit(problems.length === 0 ? 0 : 1);
}

async function runExample(
	n8n: N8n,
	service: Service,
): Promise<{ workflowId: string; outcome: Outcome }> {
	const credential = await n8n.api.importCredential({
		name: 'Contact Data',
		type: 'contactDataApi',
		data: { apiKey: service.apiKey, baseUrl: service.baseUrl, requestsPerSecond: 10 },
	});
	const example = await readExample('find-and-verify-leads', credential);
	const workflowId = await n8n.api.importWorkflow(example);
	const execution = await n8n.api.runWorkflow(workflowId, { timeoutMs: RUN_TIMEOUT_MS });
	if (execution.error) {
		const { message, description } = execution.error;
		throw new SetupError(['The workflow failed:', message, description].filter(Boolean).join(' '));
	}
	return { workflowId, outcome: readOutcome(execution) };
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
