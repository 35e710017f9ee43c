import type { ServiceResponse } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

const headed = (headers: Readonly<Record<string, string>>): Scenario => ({
	answer: (answer: ServiceResponse) => ({ ...answer, headers: { ...headers, ...answer.headers } }),
});

/** Account info, and the headers of every answer. */
export const BODIES = {
	infoIs403: { info: () => ({ status: 403, body: { message: 'Forbidden' } }) },
	infoWithoutCredits: {
		info: ({ webhooks = ['https://hooks.example'] }) => ({ status: 200, body: { webhooks } }),
	},
	/** An older page has them. */
	rateLimitHeaders: headed({
		'x-ratelimit-limit': '10',
		'x-ratelimit-remaining': '9',
		'x-ratelimit-reset': '1',
	}),
} satisfies Scenarios;
