import type { Fault, RequestPattern } from '../../support/sandbox/faults.mts';
import { SELF_SIGNED } from '../../support/sandbox/selfSigned.mts';
import { startSandbox } from '../../support/sandbox/server.mts';
import type { Stage } from './stage.mts';

/** Something that goes wrong between n8n and the service for a while. */
export interface WireFault {
	readonly name: string;
	/** `address`: the credential leads somewhere else, which a run notices at its start only. */
	readonly of: 'answers' | 'address';
	/** So much that n8n has no time for other cells. */
	readonly isHeavy?: boolean;
	/** Lets it happen to the calls `on`, and gives what ends it. */
	readonly strike: (stage: Stage, on: RequestPattern) => Promise<() => Promise<void>>;
}

function answers(
	name: string,
	fault: (stage: Stage) => Fault,
	{ chance, isHeavy }: { chance?: number; isHeavy?: boolean } = {},
): WireFault {
	return {
		name,
		of: 'answers',
		isHeavy,
		strike: async (stage, on) => {
			const rule = { ...fault(stage), chance, on, times: Infinity };
			const handle = stage.sandbox.faults.add(rule);
			return async () => handle.remove();
		},
	};
}

function address(name: string, find: () => Promise<{ baseUrl: string; close(): Promise<void> }>) {
	const fault: WireFault = {
		name,
		of: 'address',
		strike: async (stage) => {
			const found = await find();
			await stage.moveTo(found.baseUrl);
			return async () => {
				await stage.moveTo(stage.front.url);
				await found.close();
			};
		},
	};
	return fault;
}

const MEGABYTE = 1024 ** 2;
const LEVELS = 10_000;

export const WIRE_FAULTS: readonly WireFault[] = [
	{
		name: 'service down',
		of: 'answers',
		strike: async ({ front }) => {
			await front.shut();
			return async () => await front.open();
		},
	},
	answers(
		'30 % of the calls fail (503)',
		() => ({ kind: 'status', status: 503, body: { message: 'Unavailable' }, accepted: true }),
		{ chance: 0.3 },
	),
	answers('429 storm', () => ({
		kind: 'status',
		status: 429,
		body: { message: 'Too Many Requests' },
	})),
	answers('answers cut off', () => ({ kind: 'truncated' })),
	answers('one byte a second', () => ({ kind: 'trickle', bytesPerSecond: 1 })),
	answers('answers of 200 MB', () => ({ kind: 'huge', bytes: 200 * MEGABYTE }), { isHeavy: true }),
	answers('a page instead of JSON', () => ({ kind: 'html', status: 200, accepted: true })),
	answers('answers 10,000 levels deep', () => ({
		kind: 'status',
		status: 200,
		contentType: 'application/json',
		body: `{"qualification":"valid","email":"a@acme.example","custom":${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}}`,
		accepted: true,
	})),
	answers('redirect to another host', ({ elsewhere }) => ({
		kind: 'redirect',
		to: elsewhere.url,
	})),
	address('unknown certificate', async () => await startSandbox({ tls: SELF_SIGNED })),
	address('no such host (DNS)', async () => ({
		baseUrl: 'https://contact-data.invalid',
		close: async () => {},
	})),
];
