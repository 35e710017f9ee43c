import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { InstalledN8n } from './install.mts';

/** What an n8n may lack, and the file or folder of its installation by which it is known. */
const FEATURES = {
	'its list of what n8n 3 changes': 'n8n/dist/modules/breaking-changes/rules/v3',
	'a check of the encryption key at its start':
		'@n8n/db/dist/repositories/deployment-key.repository.js',
	'the new engine': 'n8n/dist/modules/engine-v2',
} as const;

export type Feature = keyof typeof FEATURES;

/** What this n8n has not got. */
export function lackedBy({ dir }: InstalledN8n): Feature[] {
	const features = Object.keys(FEATURES) as Feature[];
	return features.filter((feature) => !existsSync(join(dir, 'node_modules', FEATURES[feature])));
}
