import type { CredentialRef } from '../../support/n8n/api.mts';
import type { N8n } from '../../support/n8n/n8n.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox/server.mts';
import { credentialFor, expectNoKeySent } from '../../support/n8n/harness.mts';
import type { Elsewhere } from '../../support/elsewhere.mts';
import { openFront, type Front } from './front.mts';

/** A service of its own behind a door, and the credential for it: one cell of the matrix. */
export interface Stage {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly front: Front;
	readonly elsewhere: Elsewhere;
	readonly credential: CredentialRef;
	/** Gives the credential another base URL. */
	moveTo(baseUrl: string): Promise<void>;
	readonly close: () => Promise<void>;
}

export async function openStage(
	{ n8n, elsewhere }: Pick<Stage, 'n8n' | 'elsewhere'>,
	options: SandboxOptions,
): Promise<Stage> {
	const sandbox = await startSandbox(options);
	const front = await openFront(sandbox.baseUrl);
	const at = (baseUrl: string) => credentialFor({ baseUrl, apiKey: sandbox.apiKey });
	const credential = await n8n.api.importCredential(at(front.url));
	return {
		n8n,
		sandbox,
		front,
		elsewhere,
		credential,
		moveTo: async (baseUrl) => {
			await n8n.api.rest('PATCH', `credentials/${credential.id}`, at(baseUrl));
		},
		close: async () => {
			await front.shut();
			expectNoKeySent(sandbox);
			await sandbox.close();
		},
	};
}
