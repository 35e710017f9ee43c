import type { Lookup } from './types';

/** Checks whether an address is deliverable (`service-api.md` 4.5 to 4.8). */
export const emailVerifier: Lookup = {
	name: 'emailVerifier',
	path: '/email/verify',
	listField: 'verifications',
	batchLimit: 5000,
	documentedPrice: { credits: 0.25, mayVary: false },
	noun: { one: 'email verification', many: 'email verifications' },
	foundWord: 'Deliverable',
	fields: [{ name: 'email', parameter: 'email', label: 'Email', kind: 'email' }],
	missing({ email }) {
		return email === undefined
			? { message: "'Email' is empty", description: 'Fill in the address to verify.' }
			: undefined;
	},
	identity: (search) => search,
	singleCustom: 'object',
	itemCustom: false,
	toListEntry: ({ email }) => email,
	fromListEntry: (entry) => (typeof entry === 'string' ? { fields: { email: entry } } : undefined),
	echo: ({ email }) => ({ email }),
	toEcho: (search) => ({ ...search }),
};
