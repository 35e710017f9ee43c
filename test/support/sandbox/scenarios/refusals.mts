import { isObject } from '../payload.mts';
import type { ServiceResponse } from '../types.mts';
import type { Refusal, Scenario, Scenarios } from './types.mts';

/** By default in the words of the document. */
const unknownId = (status: number, message?: string): Scenario => ({
	refusal: ({ body, ...answer }, { reason }) =>
		reason === 'unknownId'
			? { status, body: message === undefined ? body : { message } }
			: { body, ...answer },
});

const saidIn = ({ body }: ServiceResponse) =>
	isObject(body) ? (body.message ?? body.reason) : body;

/** The words of a refusal in another form. */
const worded = (
	bodyOf: (message: unknown) => unknown,
	type: Readonly<Record<string, string>> = {},
): Scenario => ({
	refusal: (answer) => {
		const headers = { ...answer.headers, ...type };
		return { ...answer, headers, body: bodyOf(saidIn(answer)) };
	},
});

const retryAfter = (value: (waitMs: number) => string): Scenario => ({
	refusal: (answer: ServiceResponse, { waitMs }: Refusal) =>
		waitMs === undefined
			? answer
			: { ...answer, headers: { ...answer.headers, 'retry-after': value(waitMs) } },
});

/** How the service says no. */
export const REFUSALS = {
	/** By default 400 of batches and 500 of single jobs. */
	unknownIdIs404: unknownId(404, 'Not Found'),
	unknownIdIs410: unknownId(410, 'Gone'),
	unknownIdIs400: unknownId(400),
	unknownIdIs500: unknownId(500),
	/** An older page has it. */
	insufficientBalanceIs422: {
		refusal: (answer) =>
			answer.status === 402 ? { status: 422, body: { message: 'Insufficient balance' } } : answer,
	},
	/** Older pages have these two, and the one of a bad entry. */
	error402: {
		refusal: (answer) => {
			const { status } = answer;
			if (status !== 402) return answer;
			return { status, body: { error: 'Payment Required', message: saidIn(answer), status } };
		},
	},
	error429: {
		refusal: (answer, { waitMs, limit }) => {
			if (waitMs === undefined) return answer;
			const { status, headers } = answer;
			const retry_after = Math.ceil(waitMs / 1000);
			return {
				status,
				headers: {
					...headers,
					'x-ratelimit-limit': String(limit),
					'x-ratelimit-remaining': '0',
					'x-ratelimit-reset': String(Math.ceil((Date.now() + waitMs) / 1000)),
				},
				body: { error: 'Too Many Requests', message: saidIn(answer), status, retry_after },
			};
		},
	},
	badEntryIsCounted: {
		refusal: (answer, { badEntry }) => {
			if (badEntry === undefined) return answer;
			const { number, of } = badEntry;
			return {
				status: 400,
				body: { message: `Missing mandatory property on search n°${number} of ${of}` },
			};
		},
	},
	/** In seconds. */
	retryAfterSeconds: retryAfter((waitMs) => String(Math.ceil(waitMs / 1000))),
	/** HTTP dates have whole seconds: the next one that is late enough. */
	retryAfterDate: retryAfter((waitMs) =>
		new Date(Math.ceil((Date.now() + waitMs) / 1000) * 1000).toUTCString(),
	),
	fixedWindow: { rateWindow: 'fixed' },

	errorInObject: worded((message) => ({ error: { message } })),
	errorsListed: worded((message) => ({ errors: [{ message }] })),
	errorAsDetail: worded((detail) => ({ detail })),
	errorCapitalized: worded((Message) => ({ Message })),
	errorInList: worded((message) => [{ message }]),
	errorAsPlainText: worded((message) => message, { 'content-type': 'text/plain' }),
} satisfies Scenarios;
