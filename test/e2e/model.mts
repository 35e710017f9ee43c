import { randomUUID } from 'node:crypto';
import fastify from 'fastify';

/** What n8n sends to the model, as far as a script looks at it (OpenAI's chat completions). */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
	/** Whether the answer is to come in pieces. */
	stream?: boolean;
}

export interface ToolCall {
	tool: string;
	arguments: object;
}

/** What the model says next: a text, a call of a tool, or several at once. */
export type ModelAnswer = { text: string } | ToolCall | { calls: ToolCall[] };

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
	app.post<{ Body: ModelRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		requests.push(body);
		const answer = script(body);
		if (body.stream !== true) return completion(answer);
		return await reply.type('text/event-stream').send(streamed(answer));
	});
	const address = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${address}/v1`, requests, close: async () => await app.close() };
}

/** The answer of the tool that was called last; undefined: none was called yet. */
export function toolResult(request: ModelRequest): string | undefined {
	return toolResults(request).at(-1);
}

/** The answers of all calls so far, in their order. */
export function toolResults({ messages }: ModelRequest): string[] {
	return messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function completion(answer: ModelAnswer): object {
	const choice = { index: 0, message: messageOf(answer), finish_reason: finishOf(answer) };
	return { ...head('chat.completion'), choices: [choice], usage: USAGE };
}

/** The same in pieces, as server-sent events. */
function streamed(answer: ModelAnswer): string {
	const pieces = [
		{ index: 0, delta: messageOf(answer), finish_reason: null },
		{ index: 0, delta: {}, finish_reason: finishOf(answer) },
	];
	const chunks = pieces.map((choice) => ({ ...head('chat.completion.chunk'), choices: [choice] }));
	const last = { ...head('chat.completion.chunk'), choices: [], usage: USAGE };
	const events = [...chunks, last].map((chunk) => JSON.stringify(chunk));
	return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function head(object: string): object {
	return { id: randomUUID(), object, created: 0, model: 'scripted' };
}

function messageOf(answer: ModelAnswer): object {
	if ('text' in answer) return { role: 'assistant', content: answer.text };
	const calls = 'calls' in answer ? answer.calls : [answer];
	return { role: 'assistant', content: null, tool_calls: calls.map(toolCall) };
}

function finishOf(answer: ModelAnswer): string {
	return 'text' in answer ? 'stop' : 'tool_calls';
}

function toolCall({ tool, arguments: given }: ToolCall, index: number): object {
	return {
		index,
		id: randomUUID(),
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(given) },
	};
}
