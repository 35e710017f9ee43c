import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { readState, type StateReading } from '../../../nodes/ContactData/waiting/readState.ts';
import { passTime } from '../../support/clock.mts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import { askProvider, couldNotProcess } from '../../support/texts.mts';
import {
	batch,
	COMPLETED,
	FakeService,
	ONGOING,
	useFakedTime,
	type Answer,
} from './fakeService.mts';

useFakedTime();

const of = async (answer: Answer, size: Size): Promise<StateReading> => {
	const { connection } = new FakeService(() => answer);
	const lookup = lookups.emailVerifier;
	return await passTime(readState({ connection, lookup, size }, 'the-id'), 60_000);
};

const FAILED = { status: 200, body: { general: { status: 'failed' } } };

it.for([
	[COMPLETED, 'single', { kind: 'completed', body: { qualification: 'valid' } }],
	[ONGOING, 'single', { kind: 'ongoing', body: { status: 'ongoing' } }],
	[
		batch(1, 2),
		'bulk',
		{
			kind: 'ongoing',
			body: { general: { status: 'ongoing' }, stats: { finished: 1, requested: 2 } },
			progress: { finished: 1, requested: 2 },
		},
	],
] as const)('gives what the service says: %j of a %s', async ([answer, size, reading]) => {
	expect(await of(answer, size)).toEqual(reading);
});

it.for([
	['single', { status: 200, body: { status: 'failed' } }, 'email verification'],
	['bulk', FAILED, 'batch'],
] as const)('a failed %s concerns nothing but itself', async ([size, answer, what]) => {
	expect(await of(answer, size)).toEqual({
		kind: 'failed',
		refusal: {
			message: `${couldNotProcess}${what} the-id`,
			description: `Its status is "failed": ${askProvider}, and whether its credits are refunded, before you start it again.`,
			scope: 'request',
		},
	});
});

it.for([
	[
		{ status: 200, body: { greeting: 'Hello' } },
		false,
		/^The answer of the service could not be understood$/,
	],
	[
		{ status: 200, body: { status: 'completed' } },
		true,
		/^The service says that the search is finished, but gives no result$/,
	],
] as const)('what cannot be read may pass: %j', async ([answer, isOver, message]) => {
	expect(await of(answer, 'single')).toEqual({
		kind: 'fault',
		fault: 'passing',
		isOver,
		refusal: {
			message: expect.stringMatching(message) as string,
			description: expect.stringMatching(/^Check .+, then try again\.$/) as string,
			scope: 'request',
		},
	});
});
