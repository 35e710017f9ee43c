import { randomUUID } from 'node:crypto';
import fastify from 'fastify';

/** What n8n sends to the model, as far as a script looks at it (OpenAI's chat completions). */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
}

/** What the model says next: a text, or a call of a tool. */
export type ModelAnswer = { text: string } | { tool: string; arguments: object };

/** A language model that follows a script, served on loopback in OpenAI's protocol. */
export interface ScriptedModel {
	/** For the base URL of an OpenAI credential. */
	readonly url: string;
	readonly requests: readonly ModelRequest[];
	close(): Promise<void>;
}

/** @param script gives each answer, from the request that asks for it */
export async function startModel(
	script: (request: ModelRequest) => ModelAnswer,
): Promise<ScriptedModel> {
	const requests: ModelRequest[] = [];
	const app = fastify();
	app.post<{ Body: ModelRequest }>('/v1/chat/completions', ({ body }) => {
		requests.push(body);
		return completion(script(body));
	});
	const address = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${address}/v1`, requests, close: async () => await app.close() };
}

/** The answer of the tool that was called last; undefined: none was called yet. */
export function toolResult({ messages }: ModelRequest): string | undefined {
	const content = messages.filter(({ role }) => role === 'tool').at(-1)?.content;
	return typeof content === 'string' ? content : undefined;
}

function completion(answer: ModelAnswer): object {
	const message =
		'text' in answer
			? { role: 'assistant', content: answer.text }
			: { role: 'assistant', content: null, tool_calls: [toolCall(answer)] };
	return {
		id: randomUUID(),
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: 'text' in answer ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function toolCall({ tool, arguments: given }: { tool: string; arguments: object }): object {
	return {
		id: randomUUID(),
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(given) },
	};
}
