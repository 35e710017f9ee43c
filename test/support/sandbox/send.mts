import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import type { Wire, WireAnswer } from './wire.mts';

const TRICKLES_PER_SECOND = 20;
const PADDING = Buffer.alloc(1024 * 1024, ' ');

/** In whatever time goes by, the faked one too; keeps no process alive. */
async function sleep(ms: number): Promise<void> {
	await new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
}

/** Does to the connection what the wire says. */
export async function send(wire: Wire, reply: FastifyReply): Promise<void> {
	const { raw } = reply;
	if (wire.ending === 'hang') {
		reply.hijack();
		return;
	}
	if (wire.ending === 'reset') {
		reply.hijack();
		raw.socket?.destroy();
		return;
	}
	if (wire.delayMs) await sleep(wire.delayMs);
	if (wire.ending === 'truncated') {
		reply.hijack();
		const body = Buffer.from(wire.body);
		raw.writeHead(wire.status, { ...wire.headers, 'content-length': body.length });
		raw.write(body.subarray(0, body.length / 2), () => raw.destroy());
		return;
	}
	// Node's own header tells the real time, also where that is faked.
	const date = new Date().toUTCString();
	reply.code(wire.status).headers({ date, ...wire.headers });
	const chunks = streamed(wire);
	if (chunks === undefined) {
		await reply.send(Buffer.from(wire.body));
	} else {
		const bytes = Math.max(Buffer.from(wire.body).length, wire.paddedToBytes ?? 0);
		await reply.header('content-length', bytes).send(Readable.from(chunks));
	}
}

function streamed(wire: WireAnswer): AsyncIterable<Buffer> | Iterable<Buffer> | undefined {
	const body = Buffer.from(wire.body);
	if (wire.bytesPerSecond !== undefined) return trickled(body, wire.bytesPerSecond);
	return wire.paddedToBytes === undefined ? undefined : padded(body, wire.paddedToBytes);
}

async function* trickled(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
	const step = Math.max(1, Math.floor(bytesPerSecond / TRICKLES_PER_SECOND));
	for (let start = 0; start < body.length; start += step) {
		yield body.subarray(start, start + step);
		await sleep((step / bytesPerSecond) * 1_000);
	}
}

function* padded(body: Buffer, bytes: number): Generator<Buffer> {
	yield body;
	for (let left = bytes - body.length; left > 0; left -= PADDING.length) {
		yield PADDING.subarray(0, Math.min(left, PADDING.length));
	}
}
