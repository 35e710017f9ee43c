import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../../nodes/ContactData/common/values.ts';
import type { useBench } from '../../../support/n8nCore/contactData.mts';

/** What was sent: of batches their entries. */
export function sentSearches({ posts }: ReturnType<ReturnType<typeof useBench>>): unknown[] {
	return posts.flatMap(({ body }): unknown[] => {
		const { searches, verifications }: IDataObject = isRecord(body) ? body : {};
		const list: unknown = searches ?? verifications;
		return Array.isArray(list) ? list : [body];
	});
}
