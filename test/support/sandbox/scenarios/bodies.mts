import type { ServiceResponse } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

/** What every answer comes in that is no refusal. */
const wrapped = (wrap: (body: unknown) => unknown): Scenario => ({
	answer: (answer) =>
		answer.status < 400 && typeof answer.body === 'object'
			? { ...answer, body: wrap(answer.body) }
			: answer,
});

const headed = (headers: Readonly<Record<string, string>>): Scenario => ({
	answer: (answer: ServiceResponse) => ({ ...answer, headers: { ...headers, ...answer.headers } }),
});

/** Account info, and what is around every body. */
export const BODIES = {
	infoIs403: { info: () => ({ status: 403, body: { message: 'Forbidden' } }) },
	infoWithoutCredits: {
		info: ({ webhooks = ['https://hooks.example'] }) => ({ status: 200, body: { webhooks } }),
	},
	infoWebhooksAsText: {
		info: ({ webhooks, ...body }) => ({
			status: 200,
			body: { ...body, webhooks: Array.isArray(webhooks) ? webhooks.join(',') : webhooks },
		}),
	},
	infoWebhooksAsObjects: {
		info: ({ webhooks, ...body }) => ({
			status: 200,
			body: {
				...body,
				webhooks: Array.isArray(webhooks)
					? webhooks.map((url: unknown) => ({ url, type: 'all' }))
					: webhooks,
			},
		}),
	},
	wrappedInData: wrapped((data) => ({ data })),
	wrappedInList: wrapped((body) => [body]),
	latin1: headed({ 'content-type': 'application/json; charset=ISO-8859-1' }),
	/** An older page has them. */
	rateLimitHeaders: headed({
		'x-ratelimit-limit': '10',
		'x-ratelimit-remaining': '9',
		'x-ratelimit-reset': '1',
	}),
} satisfies Scenarios;
