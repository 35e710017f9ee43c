import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that are left after collections: buffers are given back some time after the first one. */
export async function bytesInUse(): Promise<number> {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	for (let bytes = Infinity; ;) {
		collect();
		await new Promise((resolve) => setImmediate(resolve));
		const { heapUsed, external } = process.memoryUsage();
		if (heapUsed + external >= bytes) return bytes;
		bytes = heapUsed + external;
	}
}
