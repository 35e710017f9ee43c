/**
 * The folders of `nodes/ContactData`, from the ground up. A file imports from its own folder and from
 * the floors below it: never from above, and never from another folder of its own floor.
 */
const FLOORS = [
	{ folders: ['common'], theme: 'what every floor may use: JSON guards, errors of items, timers' },
	{
		folders: ['values'],
		theme: 'names, addresses, domains and profiles: checked, cleaned, compared',
	},
	{ folders: ['lookups'], theme: 'what is peculiar to each lookup and its events, as data' },
	{ folders: ['service'], theme: 'the wire: requests, what answers mean, the pace, the account' },
	{ folders: ['input'], theme: "what the user has entered: n8n's parameters, to checked rows" },
	{
		folders: ['run'],
		theme: 'what surrounds a run: credential, saved data, time limit, tool call',
	},
	{ folders: ['orders'], theme: 'plan, limits, receipts, submitting: up to "started"' },
	{ folders: ['waiting'], theme: 'when to poll, and what a poll shows' },
	{ folders: ['results'], theme: 'matching, output items, errors, the summary' },
	{ folders: ['pausing'], theme: 'pausing an execution, and what resumes it' },
	{ folders: ['operations', 'trigger'], theme: 'the ways in: an execution, a notification' },
	{ folders: ['description'], theme: 'what the editor shows; the node files stand above it' },
];

/** Only these floors see n8n's contexts; those below get plain values. */
const SEES_N8N = ['input', 'run', 'pausing', 'operations', 'trigger'];

module.exports = { FLOORS, SEES_N8N };
