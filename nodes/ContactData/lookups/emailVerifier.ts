import { isRecord } from '../common/values';
import type { Lookup } from './types';

/** Checks whether an address is deliverable (`service-api.md` 4.5 to 4.8). */
export const emailVerifier: Lookup = {
	name: 'emailVerifier',
	title: 'Email Verifier',

	path: '/email/verify',
	listField: 'verifications',
	batchLimit: 5000,
	price: { credits: 0.25, least: 0.25, isDocumented: true },
	batchRefunds: false,
	advice: [],

	noun: { one: 'email verification', many: 'email verifications' },
	words: {
		verb: 'Verify',
		task: 'Verification',
		goal: 'email',
		goals: 'emails',
		each: 'each email address',
		many: 'many email addresses',
		subject: 'email address',
		subjects: 'email addresses',
		perItem: 'One Email per Item',
		done: 'verified',
		found: 'Deliverable',
		notFound: 'not deliverable',
	},
	fields: [
		{
			name: 'email',
			parameter: 'email',
			label: 'Email',
			kind: 'email',
			editor: {
				required: true,
				placeholder: 'e.g. ada@acme.com',
				description: 'The email address to verify',
			},
		},
	],
	options: [],
	list: {
		displayName: 'Emails',
		default: '[\n  ""\n]',
		description: 'The email addresses as a JSON list',
		hint: 'Write each address in quotes, with commas between them, or drag a list here from the input',
	},

	missing({ email }) {
		return email === undefined
			? { message: "'Email' is empty", description: 'Fill in the email address to verify.' }
			: undefined;
	},
	identity: (search) => search,
	judgesInput: true,
	saysInvalid: /invalid email format/i,
	singleCustom: 'object',
	itemCustom: false,
	toListEntry: ({ email }) => email,
	// A CRM's object has the address as its `value`.
	fromListEntry: (entry) =>
		isRecord(entry) && ('email' in entry || !('value' in entry))
			? { fields: entry }
			: { fields: { email: entry } },

	columns: { who: () => [], found: ['email'], about: [] },
	echo: ({ email }) => ({ email }),
	toEcho: (search) => ({ ...search }),
	oneResultOfSeveral: false,
	notifiedAs: { single: 'verification_finished', bulk: 'bulk_verification_finished' },
};
