import { expect, it } from 'vitest';
import { CallLimit, type CallUnderWay } from '../../../nodes/ContactData/common/bounds.ts';

const begun = (call: CallUnderWay | undefined): CallUnderWay => {
	if (call === undefined) throw new Error('It was one too many');
	return call;
};

it('takes as many calls of one name as it may, and another where one has ended', () => {
	const limit = new CallLimit({ ofOne: 3, inProcess: 10 });
	const calls = ['a', 'a', 'a'].map((name) => begun(limit.begin(name)));
	expect(limit.begin('a')).toBeUndefined();
	calls[0]?.end();
	begun(limit.begin('a'));
	expect(limit.begin('a')).toBeUndefined();
	begun(limit.begin('b'));
});

it('takes no more of all names together than it may, and counts none that it has refused', () => {
	const limit = new CallLimit({ ofOne: 2, inProcess: 3 });
	const calls = ['a', 'a', 'b'].map((name) => begun(limit.begin(name)));
	expect(limit.begin('b')).toBeUndefined();
	calls[0]?.end();
	begun(limit.begin('b'));
	expect(limit.begin('a')).toBeUndefined();
});

it('begins anew where all have ended', () => {
	const limit = new CallLimit({ ofOne: 1, inProcess: 1 });
	begun(limit.begin('a')).end();
	begun(limit.begin('a')).end();
	begun(limit.begin('b'));
});
