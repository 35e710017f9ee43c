import type { Scenario, Scenarios } from './types.mts';

/** What every answer comes in that is no refusal. */
const wrapped = (wrap: (body: unknown) => unknown): Scenario => ({
	answer: (answer) =>
		answer.status < 400 && typeof answer.body === 'object'
			? { ...answer, body: wrap(answer.body) }
			: answer,
});

/** Account info, and what is around every body. */
export const BODIES = {
	infoIs403: { info: () => ({ status: 403, body: { message: 'Forbidden' } }) },
	infoWithoutCredits: {
		info: ({ webhooks = ['https://hooks.example'] }) => ({ status: 200, body: { webhooks } }),
	},
	wrappedInData: wrapped((data) => ({ data })),
	wrappedInList: wrapped((body) => [body]),
} satisfies Scenarios;
