import type { Scenarios } from './types.mts';

/** Account info. */
export const BODIES = {
	infoIs403: { info: () => ({ status: 403, body: { message: 'Forbidden' } }) },
	infoWithoutCredits: {
		info: ({ webhooks = ['https://hooks.example'] }) => ({ status: 200, body: { webhooks } }),
	},
} satisfies Scenarios;
