import type { IBuilderHint } from 'n8n-workflow';

const ACTION = 'n8n-nodes-contact-data.contactData';
const TRIGGER = 'n8n-nodes-contact-data.contactDataTrigger';

/** What n8n's own builders, and agents that build workflows, read of the node where they search for one. */
export const actionBuilderHint: IBuilderHint = {
	searchHint:
		"Every submission costs credits: set options.maxCredits, and options.dryRun to check the items and the price free of charge. For more than a few items use submitBulkAndWait with inputMode 'each': one item in, one item out. It paces, splits into batches, waits and retries by itself: put no loop, Wait or HTTP Request around it. 'found: false' is a result and no error. waitMode 'suspend' needs an n8n that the service can reach.",
	relatedNodes: [
		{
			nodeType: TRIGGER,
			relationHint:
				'Starts a workflow when a search of submit or submitBulk is finished; not needed with the operations that wait',
		},
	],
};

/** The same of the trigger. */
export const triggerBuilderHint: IBuilderHint = {
	searchHint:
		'Emits the results themselves, read with the credential: no Get Result is needed after it. It fires for searches whose option webhook names it, or for all where its production URL is registered in the account.',
	relatedNodes: [
		{
			nodeType: ACTION,
			relationHint:
				'Starts the searches: submit or submitBulk with options.webhook in mode trigger, in the same workflow',
		},
	],
};
