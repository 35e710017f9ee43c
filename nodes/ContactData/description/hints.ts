import type { NodeHint } from 'n8n-workflow';

/** What the editor shows before a run. The raw parameters are looked at: an expression may be for an item. */
export const hints: NodeHint[] = [
	{
		message:
			"A phone search costs 50 credits by default. 'Max Credits' in Options caps what a run may spend, and 'Dry Run' tells what it would cost.",
		displayCondition:
			'={{ $parameter["resource"] === "phoneFinder" && $parameter["operation"].startsWith("submit") && !$rawParameter.options?.maxCredits && !$rawParameter.options?.dryRun }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
];
