import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommand } from '../../support/cli/bootstrap.mjs';
import type { Progress } from '../../support/cli/progress.mjs';
import { LOGIN } from '../../support/n8n/api.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { temporaryFolder } from '../../support/n8n/folder.mts';
import { credentialFor } from '../../support/n8n/harness.mts';
import { startN8n } from '../../support/n8n/n8n.mts';
import { packPackage } from '../../support/packing.mts';
import { startSandbox } from '../../support/sandbox/server.mts';
import { choosePort } from './port.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const INSTALLED = '.n8n/nodes/node_modules/n8n-nodes-contact-data';

/**
 * `npm run dev`: n8n with this package, beside the sandbox. A change in `nodes` or `credentials` is
 * compiled into the installed package, and n8n loads it again.
 *
 * @param build builds the package
 */
export async function main({ report, clear }: Progress, build: () => Promise<void>): Promise<void> {
	const port = await choosePort();
	const sandbox = await startSandbox();
	await build();
	const folder = await temporaryFolder('package');
	const tarball = await packPackage(ROOT, folder.path);
	const n8n = await startN8n({ tarball, port, report, env: { N8N_DEV_RELOAD: 'true' } });
	await folder.remove();
	const credential = await n8n.api.importCredential(credentialFor(sandbox));
	const example = await readExample('find-and-verify-leads', credential);
	const workflowId = await n8n.api.importWorkflow(example);
	clear();
	console.log(`Editor   ${n8n.url}workflow/${workflowId}
Login    ${LOGIN.email}, password ${LOGIN.password}
Service  ${sandbox.baseUrl}, a sandbox: nothing is spent

n8n loads each change of the code; reload the page of the editor to see changed parameters.
Changed icons and JSON need a new start. Ctrl-C ends it.
`);
	const outDir = join(n8n.dataDir, INSTALLED, 'dist');
	await runCommand([
		...[process.execPath, TSC, '--watch', '--preserveWatchOutput', '--outDir', outDir],
	]);
	await n8n.stop();
	process.exit();
}
