import type { Fault } from './faults.mts';
import { isObject, without } from './payload.mts';
import type { ServiceResponse } from './types.mts';

/** An HTTP answer as the client will see it. */
export interface WireAnswer {
	/** `truncated`: the connection breaks after half of the body. */
	readonly ending: 'complete' | 'truncated';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** Before the first byte; default 0. */
	readonly delayMs?: number;
	readonly bytesPerSecond?: number;
}

/** What happens on the wire: an answer, a broken connection, or silence. */
export type Wire = WireAnswer | { readonly ending: 'reset' } | { readonly ending: 'hang' };

const JSON_TYPE = 'application/json; charset=utf-8';

const page = (status: number) =>
	`<html>\n<head><title>${status}</title></head>\n<body>\n<center><h1>${status}</h1></center>\n` +
	'<hr><center>nginx</center>\n</body>\n</html>\n';

function plain({ status, headers = {}, body }: ServiceResponse): WireAnswer {
	const isText = 'content-type' in headers && typeof body === 'string';
	return {
		ending: 'complete',
		status,
		headers: { 'content-type': JSON_TYPE, ...headers },
		body: isText ? body : JSON.stringify(body),
	};
}

/** What the client sees of a request under a fault. `handle` is called when it is accepted. */
export function underFault(fault: Fault | undefined, handle: () => ServiceResponse): Wire {
	switch (fault?.kind) {
		case undefined:
			return plain(handle());
		case 'status': {
			const { status, body = { message: 'Sandbox fault' }, contentType, headers, delayMs } = fault;
			if (fault.accepted) handle();
			const type: Record<string, string> =
				contentType === undefined ? {} : { 'content-type': contentType };
			return { ...plain({ status, body, headers: { ...type, ...headers } }), delayMs };
		}
		case 'reset':
			if (fault.when === 'after') handle();
			return { ending: 'reset' };
		case 'delay':
			return { ...plain(handle()), delayMs: fault.ms };
		case 'trickle':
			return { ...plain(handle()), bytesPerSecond: fault.bytesPerSecond };
		case 'truncated':
			return { ...plain(handle()), ending: 'truncated' };
		case 'cutJson': {
			const answer = plain(handle());
			return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
		}
		case 'html': {
			const { status = 502 } = fault;
			if (fault.accepted) handle();
			return plain({ status, headers: { 'content-type': 'text/html' }, body: page(status) });
		}
		case 'empty': {
			const response = handle();
			// What the service refuses keeps its answer, so that an empty one always means accepted.
			return response.status < 400
				? { ...plain(response), status: 200, body: '' }
				: plain(response);
		}
		case 'noId': {
			const response = handle();
			const { body } = response;
			return plain({ ...response, body: isObject(body) ? without(body, 'id', 'batch_id') : body });
		}
		case 'changed': {
			const response = handle();
			const { body, status } = response;
			const seen = status < 400 ? (fault.status ?? status) : status;
			return plain({ ...response, status: seen, body: isObject(body) ? fault.change(body) : body });
		}
		case 'redirect': {
			const { to, status = 307 } = fault;
			return plain({ status, headers: { location: to, 'content-type': 'text/plain' }, body: '' });
		}
		case 'hang':
			if (fault.accepted) handle();
			return { ending: 'hang' };
	}
}
