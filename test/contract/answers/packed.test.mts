import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { shownError } from '../../support/n8nCore/contactData.mts';
import { notReadToItsEnd } from '../../support/texts.mts';
import { KEY, MB, useFlood } from './flood.mts';

// No faked time here: what is unpacked takes a while, with nothing on its way in a socket.

const flood = useFlood();

it('an answer that is small as long as it is packed is measured unpacked', async () => {
	const start = gzipSync(Buffer.alloc(64 * MB, ' '));
	expect(start.length).toBeLessThan(MB);
	flood.giving({ start, chunk: undefined, headers: { 'content-encoding': 'gzip' } });
	expect(shownError(await flood.run('getResult'), KEY).message).toBe(
		`The answer of the service is larger than 16 MB, ${notReadToItsEnd}`,
	);
});
