import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { ownPort } from '../support/ports.mts';
import { items } from '../support/n8n/workflows.mts';
import { expectPaidOnce } from './paid.mts';
import { looksOf } from './parked.mts';

const harness = useHarness();

/** They choose their tables by name. */
const NO_TABLES = lacks('Data Tables that are found by name');

/** How many rows a run of such an example takes. */
const LIMIT = 10;

describe.skipIf(NO_TABLES)('the example of a Data Table', () => {
	const columns = ['fullname', 'company_domain', 'company_name', 'email', 'status'];
	const at = (company_domain: string, fullname: string, email = '') => ({
		fullname,
		company_domain,
		company_name: '',
		email,
	});

	it('verifies and finds, writes back to the rows, and takes no row twice', async () => {
		const { n8n, sandbox, credential } = harness;
		const table = await makeTable('Leads', columns);
		const leads = [
			...Array.from({ length: LIMIT }, (_, n) =>
				at('acme.example', 'N/A', `a${n}@b.example; c@d.example`),
			),
			at('acme.example', 'mustfind one'),
			at('acme.example', 'notfound two'),
			{ ...at('', 'mustfind three'), company_name: 'Acme Ltd' },
			at('acme.example', 'Ada', 'ada.mustfind@acme.example'),
			at('acme.example', 'mustfind bob', 'old.notfound@acme.example'),
			at('acme.example', 'notfound cy', 'cy.notfound@acme.example'),
			at('acme.example', 'N/A'),
		];
		await n8n.api.rest('POST', `${table}/insert`, { data: leads, returnType: 'all' });
		const workflow = await n8n.api.importWorkflow(
			await readExample('data-table-leads', credential),
		);
		for (const paid of [0, 8, 8]) {
			const execution = await n8n.api.runWorkflow(workflow);
			expect(execution.error).toBeUndefined();
			expect(sandbox.ledger.totals().searches).toBe(paid);
		}
		const text = (part: string) => expect.stringContaining(part) as string;
		const rows = await rowsOf(table);
		expect(rows.slice(0, LIMIT).map(({ status }) => status)).toEqual(
			Array.from({ length: LIMIT }, () => text("'Email'")),
		);
		expect(rows.slice(LIMIT).map(({ email, status }) => [email, status])).toEqual([
			[text('@acme.example'), 'found'],
			['', 'not found'],
			[text('@'), 'found'],
			['ada.mustfind@acme.example', 'verified'],
			['mustfind.bob@acme.example', 'found'],
			['cy.notfound@acme.example', 'undeliverable'],
			['', text("'Full Name' must be a name")],
		]);
	});
});

it('the first example searches for nobody whose address could not be verified', async () => {
	const { n8n, sandbox, credential } = harness;
	const example = await readExample('find-and-verify-leads', credential);
	const leads = [
		{ fullname: 'mustfind one', email: 'one.mustfind@acme.example; info@acme.example' },
		{ fullname: 'mustfind two', email: 'two.mustfind@acme.example' },
		{ fullname: 'mustfind three', email: '' },
		{ fullname: 'notfound four', email: 'four.notfound@acme.example' },
	].map((lead) => ({ ...lead, company_domain: 'acme.example' }));
	const nodes = example.nodes.map((node) => ({
		...node,
		...(node.name === 'Leads' && { parameters: items('Leads', leads).parameters ?? {} }),
		...(node.name === 'Verify Emails' && { onError: 'continueRegularOutput' as const }),
	}));
	const execution = await n8n.api.runWorkflow({ ...example, nodes });
	expect(execution.error).toBeUndefined();
	const rows = execution.json('Table');
	expect(rows.map(({ name, result }) => [name, result]).sort()).toEqual([
		['mustfind one', expect.stringContaining("'Email' must be one")],
		['mustfind three', 'found'],
		['mustfind two', 'verified'],
		['notfound four', 'not found'],
	]);
	const [one] = rows.filter(({ name }) => name === 'mustfind one');
	expect(one).toMatchObject({ email: leads[0]?.email });
	expectPaidOnce(sandbox, 4);
});

/** Its path in n8n's API; columns are of text, unless `types` says otherwise. */
async function makeTable(
	name: string,
	columns: string[],
	types: Record<string, 'boolean' | 'date'> = {},
): Promise<string> {
	const { api } = harness.n8n;
	const project = await api.rest<{ id: string }>('GET', 'projects/personal');
	const tables = `projects/${project.id}/data-tables`;
	const { id } = await api.rest<{ id: string }>('POST', tables, {
		name,
		columns: columns.map((column) => ({ name: column, type: types[column] ?? 'string' })),
	});
	return `${tables}/${id}`;
}

async function rowsOf(table: string): Promise<IDataObject[]> {
	return (await harness.n8n.api.rest<{ data: IDataObject[] }>('GET', `${table}/rows`)).data;
}

describe.skipIf(NO_TABLES)('the example that pays for new leads only', () => {
	it('charges nothing for the same list again, and for a new lead just that one', async () => {
		const { n8n, sandbox } = harness;
		const { api } = n8n;
		const table = await makeTable('Paid Searches', ['fullname', 'company_domain', 'batch_id']);
		const example = await readExample('pay-for-new-leads-only', harness.credential);
		const workflow = await api.importWorkflow(example);

		const first = await api.runWorkflow(workflow);
		expect(first.error).toBeUndefined();
		expect(sandbox.ledger.totals().searches).toBe(3);
		const rows = await rowsOf(table);
		expect(rows.map(({ fullname }) => fullname)).toEqual([
			'Amelia Hart',
			'Lukas Brandt',
			'Chloé Lefèvre',
		]);

		const second = await api.runWorkflow(workflow);
		expect(second.error).toBeUndefined();
		expect(sandbox.ledger.totals().searches).toBe(3);
		expect(second.json('Find Emails')).toEqual(first.json('Find Emails'));

		const withNew = example.nodes.map((node) => {
			const { jsCode } = node.parameters;
			const lead = '{ fullname: "Sofia Lindqvist", company_domain: "fjord.example" },';
			return typeof jsCode === 'string'
				? { ...node, parameters: { jsCode: jsCode.replace('return [', `return [${lead}`) } }
				: node;
		});
		const third = await api.runWorkflow({ ...example, nodes: withNew });
		expect(third.error).toBeUndefined();
		expect(sandbox.ledger.totals().searches).toBe(4);
		expect(third.json('Find Emails')).toHaveLength(4);
		expect(third.json('Find Emails')).toEqual(expect.arrayContaining(first.json('Find Emails')));
	});
});

describe.skipIf(NO_TABLES)('the example that fills the gaps of a CRM', () => {
	it('searches as many as the cap covers, reads what was not finished, and pays for nobody twice', async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		const table = await makeTable('Contacts', [
			'fullname',
			'company_domain',
			'email',
			'batch_id',
			'result',
		]);
		const bad = Array.from({ length: LIMIT }, () => ({
			fullname: 'N/A',
			company_domain: 'acme.example',
		}));
		const contacts = ['Ada Mustfind', 'Bob Mustfind', 'Cy Notfound', 'Di Mustfind', 'Ed Mustfind'];
		const data = [
			...bad,
			...contacts.map((fullname) => ({ fullname, company_domain: 'acme.example' })),
			{ fullname: 'N/A', company_domain: 'acme.example' },
			{ fullname: 'Flo Mustfind', company_domain: 'acme.example' },
			{ fullname: 'Known', company_domain: 'acme.example', email: 'known@acme.example' },
		];
		await api.rest('POST', `${table}/insert`, { data, returnType: 'all' });
		const { nodes, ...rest } = await readExample('fill-crm-gaps', credential);
		const hurried = nodes.map((node) => {
			const options = node.parameters.options as IDataObject | undefined;
			return node.name === 'Find Emails'
				? { ...node, parameters: { ...node.parameters, options: { ...options, timeout: 1 } } }
				: node;
		});

		const withBad = await api.runWorkflow({ ...rest, nodes });
		expect(withBad.error).toBeUndefined();
		expect(sandbox.ledger.entries).toEqual([]);

		sandbox.configure({ bulk: 600_000 });
		const first = await api.runWorkflow({ ...rest, nodes: hurried });
		expect(first.error).toBeUndefined();
		expect(sandbox.ledger.totals().charged).toBe(5);
		sandbox.service.finish();

		sandbox.configure({ bulk: 0 });
		const second = await api.runWorkflow({ ...rest, nodes });
		expect(second.error).toBeUndefined();
		expect(sandbox.ledger.totals().charged).toBe(6);
		const lines = JSON.stringify(second.run('Find Emails')?.hints);
		expect(lines).toContain('5 read from earlier searches');
		const rows = (await rowsOf(table)).slice(LIMIT);
		const sum = ({ fullname, email, result }: IDataObject) => [fullname, email, result];
		const found = (name: string) => [
			`${name} Mustfind`,
			`${name.toLowerCase()}.mustfind@acme.example`,
			'found',
		];
		expect(rows.map(sum)).toEqual([
			found('Ada'),
			found('Bob'),
			['Cy Notfound', null, 'not found'],
			found('Di'),
			found('Ed'),
			['N/A', null, expect.stringContaining("'Full Name' must be a name")],
			found('Flo'),
			['Known', 'known@acme.example', null],
		]);
	});
});

describe.skipIf(NO_TABLES)('the example that verifies before a send', () => {
	it('verifies what was not checked for 90 days, and sends to who is deliverable', async () => {
		const { n8n, sandbox, credential } = harness;
		const table = await makeTable('Recipients', ['email', 'deliverable', 'checked', 'reason'], {
			deliverable: 'boolean',
			checked: 'date',
		});
		const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
		const data = [
			...Array.from({ length: LIMIT }, (_, n) => ({
				email: `a${n}@acme.example; b${n}@acme.example`,
			})),
			{ email: 'new.mustfind@acme.example' },
			{ email: 'old.mustfind@acme.example', deliverable: true, checked: daysAgo(91) },
			{ email: 'left.notfound@acme.example', deliverable: true, checked: daysAgo(200) },
			{ email: 'fresh@acme.example', deliverable: true, checked: daysAgo(89) },
			{ email: 'bounced@acme.example', deliverable: false, checked: daysAgo(1) },
		];
		await n8n.api.rest('POST', `${table}/insert`, { data, returnType: 'all' });
		const workflow = await n8n.api.importWorkflow(
			await readExample('verify-before-send', credential),
		);
		const recipients = ['new.mustfind', 'old.mustfind', 'fresh'].map((name) => ({
			email: `${name}@acme.example`,
		}));
		for (const [old, paid, mailed] of [
			[LIMIT, 0, recipients.slice(2)],
			[3, 3, recipients],
			[0, 3, recipients],
		] as const) {
			const execution = await n8n.api.runWorkflow(workflow);
			expect(execution.error).toBeUndefined();
			expect(execution.json('Verify Emails')).toHaveLength(old);
			expect(execution.json('Your Email Tool')).toMatchObject(mailed);
			expect(sandbox.ledger.totals().searches).toBe(paid);
		}
		const [bad] = await rowsOf(table);
		expect(bad).toMatchObject({
			deliverable: null,
			reason: expect.stringContaining("'Email'") as string,
		});
	});
});

describe('the example of sign-ups', () => {
	it.for([
		['a.mustfind@acme.example', 'Welcome', 'completed'],
		['a.notfound@acme.example', 'This address takes no mail', undefined],
		['slow.notfound@acme.example', 'Welcome', 'ongoing'],
	] as const)('answers %s with %s', async ([email, title, status]) => {
		const { n8n, sandbox, credential } = harness;
		const { api, url } = n8n;
		if (status === 'ongoing') sandbox.configure({ single: 600_000 });
		const { nodes, ...rest } = await readExample('verify-sign-ups', credential);
		const path = `sign-ups-${title}-${status}`.replaceAll(' ', '-');
		const ready = nodes.map((node) => {
			if (node.name === 'Sign-up') return { ...node, webhookId: path };
			const options = node.parameters.options as IDataObject;
			return node.name === 'Verify Email' && status === 'ongoing'
				? { ...node, parameters: { ...node.parameters, options: { ...options, timeout: 1 } } }
				: node;
		});
		const id = await api.importWorkflow({ ...rest, nodes: ready });
		await api.activate(id);
		const form = new FormData();
		form.set('field-0', 'Ada Hart');
		form.set('field-1', email);
		const sent = await fetch(`${url}form/${path}`, { method: 'POST', body: form });
		const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
		const { id: executionId } = await api.waitForExecution(
			(summary) => summary.status === 'waiting',
			{ workflowId: id },
		);
		expect(await (await fetch(formWaitingUrl)).text()).toContain(title);
		// The page tells n8n that it was shown.
		await fetch(formWaitingUrl, { method: 'POST' });
		const execution = await api.waitForEnd(executionId);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Your List')).toMatchObject(
			status === undefined ? [] : [{ Name: 'Ada Hart', Email: email, status }],
		);
		await api.deactivate(id);
	});
});

describe('the example that asks before it pays', () => {
	const run = async () => {
		const { api } = harness.n8n;
		const id = await api.startWorkflow(await readExample('see-the-bill-first', harness.credential));
		await api.waitForStatus(id, (status) => status === 'waiting');
		const messages = (await api.getExecution(id)).json<{ bill: string; text: string }>('Message');
		const [{ bill, text }] = messages;
		expect(bill).toBe(
			'3 of 3 leads would be paid for. Together they cost about 3 credits. Max Credits stops the run at 3.',
		);
		expect(text).toMatch(`${bill} Decide here: http`);
		const form = text.replace(/^.*(?=http)/, '');
		expect(await (await fetch(form)).text()).toContain(bill);
		expect(harness.sandbox.ledger.entries).toEqual([]);
		return { id, form };
	};
	const answer = async (form: string, decision: string) => {
		const body = new FormData();
		body.set('field-0', decision);
		const response = await fetch(form, { method: 'POST', body });
		expect(response.status).toBe(200);
	};

	it('finds the emails when the form says so', async () => {
		const { id, form } = await run();
		await answer(form, 'Pay and run');
		const execution = await harness.n8n.api.waitForEnd(id);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Find Emails')).toHaveLength(3);
		expect(harness.sandbox.ledger.totals().searches).toBe(3);
	});

	it('pays nothing when it says no', async () => {
		const { id, form } = await run();
		await answer(form, 'Stop');
		expect((await harness.n8n.api.waitForEnd(id)).error).toBeUndefined();
		expect(harness.sandbox.ledger.entries).toEqual([]);
	});
});

describe('the example of phone numbers with a cap', () => {
	it('searches as many as the cap covers, and says why not the others', async () => {
		const { nodes, ...rest } = await readExample('phone-numbers-with-cap', harness.credential);
		const three = ['Sofia', 'Priya', 'Tomasz'].map((firstname) => ({
			firstname,
			lastname: 'Overcap',
			company_domain: 'fjordline.example',
		}));
		const withThree = nodes.map((node) =>
			typeof node.parameters.jsCode === 'string'
				? { ...node, parameters: { jsCode: `return ${JSON.stringify(three)};` } }
				: node,
		);
		const execution = await harness.n8n.api.runWorkflow({ ...rest, nodes: withThree });
		expect(execution.error).toBeUndefined();
		const found = execution
			.json<Record<'firstname' | 'lastname' | 'number' | 'country', string> & { found: boolean }>(
				'Find Phone Numbers',
			)
			.filter((result) => result.found);
		expect(found).not.toEqual([]);
		expect(execution.json('Phone Numbers')).toEqual(
			found.map(({ firstname, lastname, number, country }) => ({
				name: `${firstname} ${lastname}`,
				phone: number,
				country,
			})),
		);
		const reason = expect.stringContaining("'Max Credits' of 100") as string;
		expect(execution.json('Not Searched')).toEqual([{ name: 'Tomasz Overcap', reason }]);
		expect(harness.sandbox.ledger.totals().charged).toBe(80);
	});
});

it('the example of a second provider asks it for those who are not found, and for nobody else', async () => {
	const asked: string[] = [];
	const provider = createServer((request, response) => {
		void json(request).then((body) => {
			const { name } = body as { name: string };
			asked.push(name);
			const email = name === 'Nora Notfound' ? 'nora@fjordline.example' : undefined;
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ email }));
		});
	});
	const port = await ownPort();
	provider.listen(port, '127.0.0.1');
	try {
		const { nodes, ...rest } = await readExample('second-provider', harness.credential);
		const here = nodes.map((node) =>
			node.name === 'Second Provider'
				? { ...node, parameters: { ...node.parameters, url: `http://127.0.0.1:${port}/` } }
				: node,
		);
		const execution = await harness.n8n.api.runWorkflow({ ...rest, nodes: here });
		expect(execution.error).toBeUndefined();
		expect(asked.sort()).toEqual(['Jean-Pierre Moreau', 'Nora Notfound']);
		const rows = execution.json<Record<'name' | 'email' | 'provider' | 'error', string>>('Table');
		const row = (name: string) => rows.find((one) => one.name === name);
		expect(rows).toHaveLength(4);
		expect(row('Amelia Hart')).toMatchObject({
			email: 'amelia.hart@northfreight.example',
			provider: 'first',
			error: '',
		});
		expect(row('Jean-Pierre Moreau')).toMatchObject({ email: '', provider: '', error: '' });
		expect(row('Nora Notfound')).toMatchObject({
			email: 'nora@fjordline.example',
			provider: 'second',
			error: '',
		});
		expect(row('N/A')).toMatchObject({
			email: '',
			error: expect.stringContaining("'Full Name'") as string,
		});
	} finally {
		provider.close();
		provider.closeAllConnections();
	}
});

it('the example without callbacks looks until the batch is finished, and each row has its result', async () => {
	const { n8n, sandbox } = harness;
	sandbox.configure({ bulk: 600_000 });
	const { nodes, ...rest } = await readExample('large-list-without-callbacks', harness.credential);
	// Two minutes are a second here.
	const hurried = nodes.map((node) =>
		node.name === 'Wait' ? { ...node, parameters: { amount: 1, unit: 'seconds' } } : node,
	);
	const id = await n8n.api.startWorkflow({ ...rest, nodes: hurried });
	// Each batch twice.
	await sandbox.waitFor(
		() =>
			sandbox.ledger.totals().searches === 10 &&
			looksOf(sandbox).length >= 2 * sandbox.ledger.entries.length,
	);
	sandbox.service.finish();
	const execution = await n8n.api.waitForEnd(id);
	expect(execution.error).toBeUndefined();
	// A round of the loop in which a batch ends is a run of its own.
	const runs = execution.data.resultData.runData.Table ?? [];
	const rows = runs.flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);
	for (const { row, name, email } of rows) {
		expect(name).toBe(`Person Number${Number(row)}`);
		expect(email).toContain(`@company-${Number(row)}.example`);
	}
	const { searches, net } = sandbox.ledger.totals();
	expect(searches).toBe(10);
	// Only who was found is paid for, and is in the table.
	expect(net).toBeGreaterThan(0);
	expect(rows).toHaveLength(net);
});

it('the example of a Switch sends each lead its way', async () => {
	const { api } = harness.n8n;
	const example = await readExample('switch-by-status', harness.credential);
	const execution = await api.runWorkflow(example);
	expect(execution.error).toBeUndefined();
	const namesAt = (node: string) => execution.json(node).map(({ name }) => name);
	expect(namesAt('Found')).toEqual(['Amelia Hart']);
	expect(namesAt('Not Found')).toEqual(['Nora Notfound']);
	expect(execution.json('Failed')).toMatchObject([
		{ name: 'N/A', reason: expect.stringContaining("'Full Name'") as string },
	]);
});
