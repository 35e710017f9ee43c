import { without } from '../payload.mts';
import type { Scenarios } from './types.mts';

/** What the service reads of a POST, and its receipt. */
export const SUBMISSIONS = {
	/** The document has it: the service does not see `linkedin_url`. */
	phoneBySocialprofileUrl: { profileField: 'socialprofile_url' },
	/** As the pages of some clients have it. */
	receiptBatchId: {
		receipt: (body, { kind, id }) =>
			kind.endsWith('Bulk') ? { ...without(body, 'id'), batch_id: id } : body,
	},
} satisfies Scenarios;
