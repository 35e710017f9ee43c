import { readFile } from 'node:fs/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData, shownError } from '../../support/n8nCore/contactData.mts';
import { runNode, type RunNodeOptions } from '../../support/n8nCore/execute.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import type { AccountOptions } from '../../support/sandbox/accounts.mts';

const PAGES = ['README.md', 'docs/troubleshooting.md'];
const LIMIT_MS = 3_600_000;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** What a user does to read the message. */
interface Trouble extends Partial<RunNodeOptions> {
	account?: AccountOptions;
	operation?: string;
	more?: INodeParameters;
	options?: IDataObject & INodeParameters;
	prepare?: (service: ServiceInProcess) => void;
	/** Of the credential. */
	apiKey?: string;
}

const on = 'POST *' as const;

const TROUBLES: Record<string, Trouble> = {
	'This apikey is not valid': { apiKey: 'another key' },
	'Insufficient credits': {
		prepare: ({ faults }) => {
			const body = { reason: 'Insufficient credits', success: false };
			faults.add({ on, kind: 'status', status: 402, body });
		},
	},
	"The account's balance of … does not cover …": { account: { credits: 0.1 } },
	"'Max Credits' of … does not cover …": { options: { maxCredits: 0.1 } },
	'Too Many Requests': {
		prepare: ({ faults }) => {
			const body = { message: 'Too Many Requests' };
			faults.add({ on, kind: 'status', status: 429, body, times: Infinity });
		},
	},
	'… may have been charged …': {
		prepare: ({ faults }) => void faults.add({ on, kind: 'reset', when: 'after' }),
	},
	'… was not finished within …': { options: { timeout: 60 } },
	"'ID of an Earlier Search' … gives no result": { options: { earlierId: 'unknown-id' } },
	'… of … items cannot be searched …': {
		items: [{ name: 'Ada Hart' }, { name: '#N/A' }],
		more: { resource: 'emailFinder', fullname: '={{ $json.name }}', companyDomain: 'acme.example' },
	},
	'This node makes no custom API calls': { operation: '__CUSTOM_API_CALL__' },
	'The service cannot reach this n8n': {
		more: { waitMode: 'suspend' },
		waitingBaseUrl: 'http://localhost:5678/webhook-waiting',
	},
	"'Webhook' is set to This Workflow's Trigger, but the URL of that trigger is not known": {
		operation: 'submit',
		options: { webhook: { __rl: true, mode: 'trigger', value: '' } },
	},
	'The service could not be reached': {
		prepare: (service) => {
			service.onRequest = () => {
				throw Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' });
			};
		},
	},
};

const COMMON = /## Common problems\n\n[^\n]+\n[^\n]+\n((?:\|.*\n)+)/;
const shown = await Promise.all(
	PAGES.map(async (page) => {
		const text = await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8');
		const [, table = ''] = COMMON.exec(text) ?? [];
		return [...table.matchAll(/^\| (.+?) \|/gm)].map(([, message]) => message.trim());
	}),
);
const messages = [...new Set(shown.flat())];

describe('common problems: a user reads', () => {
	it('messages that are tried here, all of them', () => {
		for (const onPage of shown) expect(onPage.length).toBeGreaterThanOrEqual(5);
		expect([...messages].sort()).toEqual(Object.keys(TROUBLES).sort());
	});

	it.for(messages)('%s', async (message) => {
		const { account, operation = 'submitAndWait', more, options, ...given } = TROUBLES[message];
		const { prepare, apiKey, ...run } = given;
		const service = new ServiceInProcess({ single: LIMIT_MS, account });
		prepare?.(service);
		const { contactDataApi } = service.credentials;
		const result = await passTime(
			runNode({
				node: service.wire(contactData, apiKey),
				parameters: {
					resource: 'emailVerifier',
					operation,
					email: 'mustfind@acme.example',
					...more,
					options: { ...options },
				},
				credentials: { contactDataApi },
				...run,
			}),
			LIMIT_MS,
		);
		const shown = shownError(result, contactDataApi.apiKey);
		// What differs from case to case stands as an ellipsis.
		let rest = shown.message;
		for (const part of message.split('…').map((text) => text.trim())) {
			expect(rest).toContain(part);
			rest = rest.slice(rest.indexOf(part) + part.length);
		}
	});
});
