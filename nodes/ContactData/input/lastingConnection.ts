import type { IExecuteFunctions, IHttpRequestOptions, Logger } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import type { Account } from '../service/account';
import type { Connection } from '../service/request';
import type { Credential } from './credential';
import { CREDENTIAL_TYPE, readCredential, toConnection } from './credential';

/** A change of the credential counts after this time. */
const READ_AGAIN_MS = 60_000;

/** What asks the service, and calls n8n itself, when the execution has ended. */
export interface LastingConnection extends Connection {
	credentialId: string;
	/** Sends a request without the account's key. */
	sendUnsigned(options: IHttpRequestOptions): Promise<unknown>;
	logger: Logger;
}

/**
 * A connection for what goes on after the execution. n8n signs requests with the context, which stays
 * in memory for as long as the connection: so a process keeps one for each credential, and no more.
 */
export function connectForGood(context: IExecuteFunctions, account: Account): LastingConnection {
	// When the execution is stopped, others still go by this connection.
	const unstopped: IExecuteFunctions = Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	});
	let reading: { at: number; credential: Promise<Credential> } | undefined;
	return {
		account,
		credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
		send: async (options, signal): Promise<unknown> => {
			const now = monotonicMs();
			if (reading === undefined || now - reading.at > READ_AGAIN_MS) {
				const begun = { at: now, credential: readCredential(context) };
				reading = begun;
				begun.credential.catch(() => (begun.at = -Infinity));
			}
			const { asRead } = await reading.credential;
			return await toConnection(unstopped, { account, asRead }).send(options, signal);
		},
		sendUnsigned: async (options): Promise<unknown> => await context.helpers.httpRequest(options),
		logger: context.logger,
	};
}
