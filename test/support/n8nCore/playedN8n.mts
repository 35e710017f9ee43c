import fastify from 'fastify';

/** What n8n answers to who asks for an execution that it does not know. */
export function answerOfN8n(url: string) {
	const [, id = ''] = /\/webhook-waiting\/([^/?]+)/.exec(url) ?? [];
	const message = `The execution "${id}" does not exist.`;
	return { statusCode: 404, headers: {}, body: { code: 404, message } };
}

/** Whether a call asks for n8n itself, and no execution that there is. */
export function asksForN8n(url: string): boolean {
	return url.includes('/webhook-waiting/2147483647/');
}

let base: Promise<string> | undefined;

/**
 * n8n's address, of this process: there is n8n for who asks for it, and nobody for a callback.
 * @returns what comes before `/webhook-waiting`
 */
export async function playN8n(): Promise<string> {
	base ??= (async () => {
		const server = fastify();
		server.post('*', async ({ url, raw }, reply) => {
			if (!asksForN8n(url)) return raw.destroy();
			const { statusCode, body } = answerOfN8n(url);
			return await reply.code(statusCode).send(body);
		});
		const address = await server.listen({ port: 0, host: '127.0.0.1' });
		server.server.unref();
		return address;
	})();
	return await base;
}
