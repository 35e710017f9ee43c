// A vitest setup file: stops at the first test that fails. Test files that share their worker
// would all be loaded otherwise, though vitest's own `bail` skips their tests.
import { afterEach } from 'vitest';

const MARK = 'hasFailed';

if (Object.hasOwn(globalThis, MARK)) throw new Error('A test has failed before');

afterEach(({ task }) => {
	if (task.result?.state === 'fail') Object.defineProperty(globalThis, MARK, { value: true });
});
