import type { NodeHint } from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { operationNames } from './operations';

/** What the editor shows before a run. The raw parameters are looked at: an expression may be for an item. */
export const hints: NodeHint[] = Object.values(lookups).flatMap(({ name, costHint }: Lookup) =>
	costHint === undefined
		? []
		: [
				{
					...costHint,
					displayCondition: `={{ $parameter["resource"] === "${name}" && $parameter["operation"].startsWith("submit") && !$rawParameter.options?.maxCredits && !$rawParameter.options?.dryRun }}`,
					whenToDisplay: 'beforeExecution',
					location: 'outputPane',
				},
			],
);

/** The line below the node's name, in words: `Find Many: Email Finder`. */
export const actionSubtitle = `={{ (${JSON.stringify(operationNames)})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
