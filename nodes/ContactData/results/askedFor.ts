import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/values';
import type { ItemSearch } from '../input/searches';
import type { Lookup } from '../lookups/types';
import type { Submission } from '../spending/plan';
import { matchResults } from './match';

/**
 * The body of a finished batch with nothing in it but what is asked for now: another call of a tool, or
 * an earlier try, may have sent it for more people, and with other custom data.
 */
export function onlyAskedFor(
	lookup: Lookup,
	{ isSent = false, searches, places, items, size }: Submission,
	body: IDataObject,
): IDataObject {
	if (!isSent) return body;
	const listed = Array.isArray(body.results) ? body.results : [];
	const { results, unmatched } = matchResults(lookup, { searches, places, size }, listed);
	const ofBatch = items[0]?.[0]?.envelope.custom;
	const own = results.flatMap((result, position) => {
		if (result === undefined) return [];
		const custom = items[position]?.[0]?.custom;
		return [withCustom(result, custom ?? (result.custom === undefined ? undefined : ofBatch))];
	});
	const general = asRecord(body.general) ?? {};
	const given = {
		general: withCustom(general, general.custom === undefined ? undefined : ofBatch),
		results: own,
	};
	if (searches.length < size) return given;
	const others = unmatched.map((result) => withCustom(result, undefined));
	return { ...body, ...given, results: [...own, ...others] };
}

/** A result with other custom data than it has, or without any, also in the search that it repeats. */
export function withCustom(json: IDataObject, custom: ItemSearch['custom']): IDataObject {
	const own = { ...json };
	if (custom === undefined) delete own.custom;
	else own.custom = custom;
	for (const name of ['raw_params', 'params']) {
		const repeated = asRecord(own[name]);
		if (repeated?.custom !== undefined) own[name] = withCustom(repeated, custom);
	}
	return own;
}
