import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import type { Wire } from './wire.mts';

const TRICKLES_PER_SECOND = 20;

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
	const body = Buffer.from(wire.body);
	if (wire.bytesPerSecond === undefined) {
		await reply.send(body);
	} else {
		const chunks = Readable.from(trickled(body, wire.bytesPerSecond));
		await reply.header('content-length', body.length).send(chunks);
	}
}

async function* trickled(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
	const step = Math.max(1, Math.floor(bytesPerSecond / TRICKLES_PER_SECOND));
	for (let start = 0; start < body.length; start += step) {
		yield body.subarray(start, start + step);
		await sleep((step / bytesPerSecond) * 1_000);
	}
}
