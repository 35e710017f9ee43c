import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { Execution } from '../../support/n8n/execution.mts';
import { SandboxService } from '../../support/sandbox/service.mts';
import { checkMoney, checkNet, NODE, PEOPLE } from './outcome.mts';
import type { Stage } from './stage.mts';

let service: SandboxService;
let ids: string[];
beforeEach(() => {
	service = new SandboxService({ account: { requestsPerSecond: 1_000 } });
	for (const { fullname } of PEOPLE.slice(0, 3)) {
		service.handle({
			method: 'POST',
			path: '/email/find/single',
			query: {},
			headers: { 'x-api-key': service.account().key },
			body: { fullname, company_domain: 'acme.example' },
		});
	}
	ids = service.ledger.entries.map(({ id }) => id);
});

/** What `checkMoney` looks at: the ledger, and n8n's log. */
function stage(log = ''): Pick<Stage, 'sandbox' | 'n8n'> {
	const { ledger } = service;
	return { sandbox: { ledger }, n8n: { logs: () => log } } as unknown as Stage;
}

/** An execution whose node gave these items. */
function execution(items: IDataObject[]): Execution {
	const main = [items.map((json) => ({ json }))];
	const data = JSON.stringify({ resultData: { runData: { [NODE]: [{ data: { main } }] } } });
	const record = { id: '1', workflowId: '1', status: 'success', mode: 'manual' } as const;
	const times = { createdAt: '', startedAt: '', stoppedAt: null, waitTill: null };
	return new Execution({ ...record, ...times, data }, JSON.parse);
}

const UNKNOWN = { error: 'This email search may have been charged: …' };

describe('checkMoney', () => {
	it('tells where each id is: kept by n8n, told of by its item, or caught by the trigger', () => {
		const kept = execution([{ id: ids[0] }, UNKNOWN]);
		const caught = checkNet([execution([{ id: ids[2] }])]);
		const money = checkMoney(stage(), [kept], caught);
		expect(money).toEqual({ charged: 3, kept: 1, told: 1, caught: 1 });
	});

	it('takes what is in the log for kept', () => {
		expect(checkMoney(stage(ids.join(' ')), [])).toMatchObject({ kept: 3 });
	});

	it('reports an id that is nowhere', () => {
		const kept = execution([{ id: ids[0] }, UNKNOWN]);
		expect(() => checkMoney(stage(), [kept], checkNet([]))).toThrow(ids[2]);
		const other = checkNet([execution([{ id: 'another' }])]);
		expect(() => checkMoney(stage(), [kept], other)).toThrow(ids[2]);
	});

	it('reports what was charged twice', () => {
		const [{ fullname }] = PEOPLE;
		service.handle({
			method: 'POST',
			path: '/email/find/single',
			query: {},
			headers: { 'x-api-key': service.account().key },
			body: { fullname, company_domain: 'acme.example' },
		});
		const all = service.ledger.entries.map(({ id }) => id).join(' ');
		expect(() => checkMoney(stage(all), [])).toThrow();
	});
});

it('checkNet reports an id that has started the trigger twice', () => {
	const twice = [execution([{ id: ids[0] }]), execution([{ id: ids[0] }])];
	expect(() => checkNet(twice)).toThrow(ids[0]);
});
