import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetAddress } from '../../../nodes/ContactData/pausing/address.ts';
import { useFastClock } from '../../support/clock.mts';
import { expectNoKey, useBench } from '../../support/n8nCore/contactData.mts';
import { answerOfN8n, asksForN8n } from '../../support/n8nCore/playedN8n.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { keptRunning } from '../../support/texts.mts';
import { hintsOf, Suspended } from './suspended.mts';

// Whether the service can call n8n is asked before the first pause: behind a login page, results would
// come at the Timeout only.

const bench = useBench();
useFastClock();

type Answer = (reply: FastifyReply, url: string) => unknown;
const N8N: Answer = async (reply, url) => await reply.code(404).send(answerOfN8n(url).body);

let server: FastifyInstance;
let address: string;
let answer: Answer;
let asked: Array<{ path: string | undefined; headers: unknown }>;

beforeEach(async () => {
	asked = [];
	answer = N8N;
	server = fastify();
	server.all('*', async ({ url, headers }, reply) => {
		if (!asksForN8n(url)) return await reply.code(404).send(answerOfN8n(url).body);
		asked.push({ path: url, headers });
		return await answer(reply, url);
	});
	address = await server.listen({ port: 0, host: '127.0.0.1' });
	forgetAddress();
});
afterEach(async () => {
	server.server.closeAllConnections();
	await server.close();
	forgetAddress();
});

async function find() {
	const given = { items: people(1), options: { searchAgain: true } };
	const { workflow } = new Suspended(bench(), 'emailFinder', 'submitAndWait', given);
	return await runWorkflow({ ...workflow, waitingBaseUrl: `${address}/webhook-waiting` });
}

it('n8n itself is asked once, for no execution that there is, and without the key', async () => {
	expect((await find()).status).toBe('waiting');
	expect((await find()).status).toBe('waiting');
	expect(asked.map(({ path }) => path)).toEqual(['/webhook-waiting/2147483647/contact-data']);
	expectNoKey(asked, bench().sandbox.apiKey);
});

describe('where something else answers, the execution keeps running, and says what', () => {
	const LOGIN = 'https://login.example.com/start';
	it.for<[string, Answer, RegExp]>([
		[
			'a login page by a redirect',
			async (reply) => await reply.redirect(`${LOGIN}?rd=%2Fwebhook&secret=1`, 302),
			/a redirect to https:\/\/login\.example\.com\/start answers/,
		],
		[
			'a login page in its place',
			async (reply) => await reply.type('text/html').send('<html>Sign in</html>'),
			/something else \(status 200\)/,
		],
		[
			"another program's 404 that repeats the address",
			async (reply, url) => await reply.code(404).send(`Cannot POST ${url}`),
			/status 404/,
		],
		['a broken gateway', async (reply) => await reply.code(502).send(), /\(status 502\)/],
		['nobody', (reply) => reply.raw.destroy(), /nothing \(.+\) answers/],
	])('%s', async ([, other, says]) => {
		answer = other;
		const run = await find();
		expect(run.status).toBe('success');
		expect(run.items('Contact Data')).toMatchObject([{ json: { found: true } }]);
		const hint = hintsOf(run).find((line) => line.startsWith(keptRunning));
		expect(hint).toMatch(says);
		expect(hint).toContain(address);
		expect(hint).not.toContain('secret');
		// No callback is ordered that nobody can deliver.
		expect(bench().posts[0]?.body).not.toHaveProperty('settings.webhook');

		// It may have been mended since.
		answer = N8N;
		expect((await find()).status).toBe('waiting');
	});
});
