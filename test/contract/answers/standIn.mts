import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import type { RunNodeResult } from '../../support/n8nCore/execute.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { StandIn } from '../../support/standIn.mts';

/** One stand-in for a whole test file. */
export function useStandIn(): StandIn {
	const standIn = new StandIn();
	beforeAll(async () => await standIn.open());
	beforeEach(() => standIn.say({}));
	afterAll(() => standIn.close());
	return standIn;
}

/** Runs the node in front of a stand-in; errors are items, unless the settings say otherwise. */
export async function runBefore(
	{ credential }: StandIn,
	resource: string,
	operation: string,
	given: Given,
): Promise<RunNodeResult> {
	const { parameters, options, settings } = given;
	return await runNode({
		credentials: { contactDataApi: credential },
		...given,
		node: contactData,
		parameters: { resource, operation, ...parameters, options: { ...options } },
		settings: { onError: 'continueRegularOutput', ...settings },
	});
}
