import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
	readonly path: string;
	remove(): Promise<void>;
}

/** Makes an empty folder that is removed at the latest when this process exits. */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
	const path = await mkdtemp(join(tmpdir(), `contact-data-${name}-`));
	const options = { recursive: true, force: true, maxRetries: 3 };
	const removeAtExit = () => rmSync(path, options);
	process.on('exit', removeAtExit);
	return {
		path,
		remove: async () => {
			process.off('exit', removeAtExit);
			await rm(path, options);
		},
	};
}
