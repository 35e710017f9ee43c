import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { InstalledN8n } from './install.mts';

/**
 * A file or folder by which a feature is known, and what stands in it where it was there before; or
 * the versions that were seen to be without it.
 */
type Sign = { readonly path: string; readonly text?: string } | { readonly notIn: RegExp };

const UP_TO_2_0 = /^(1|2\.0)\./;

const AGENT = '@n8n/n8n-nodes-langchain/dist/nodes/agents/Agent/Agent.node.js';
const KEYS = 'n8n-core/dist/execution-engine/node-execution-context/utils/get-additional-keys.js';

/** What an n8n may lack, and the sign of it in the installation. */
const FEATURES = {
	'its list of what n8n 3 changes': { path: 'n8n/dist/modules/breaking-changes/rules/v3' },
	'native agents': { path: 'n8n/dist/modules/agents' },
	'human review of tools': { path: 'n8n/dist/tool-generation/hitl-tools.js' },
	'version 2.3 of the AI Agent': { path: AGENT, text: '2.3:' },
	'version 3.1 of the AI Agent': { path: AGENT, text: '3.1:' },
	'the results of a paused sub-workflow for its caller': {
		path: 'n8n/dist/workflow-helpers.js',
		text: 'updateParentExecutionWithChildResults',
	},
	'a signature in the address of a paused execution': { path: KEYS, text: 'appendResumeToken' },
	'credentials that only their own nodes may use': {
		path: 'n8n/dist/credentials-helper.js',
		text: 'restrictToSupportedNodes',
	},
	'Data Tables that are found by name': { notIn: UP_TO_2_0 },
	'logs beside a finished execution': { notIn: UP_TO_2_0 },
} as const satisfies Record<string, Sign>;

export type Feature = keyof typeof FEATURES;

/** What this n8n has not got. */
export function lackedBy({ dir, version }: InstalledN8n): Feature[] {
	const features = Object.keys(FEATURES) as Feature[];
	return features.filter((feature) => {
		const sign: Sign = FEATURES[feature];
		if ('notIn' in sign) return sign.notIn.test(version);
		const file = join(dir, 'node_modules', sign.path);
		if (!existsSync(file)) return true;
		return sign.text !== undefined && !readFileSync(file, 'utf8').includes(sign.text);
	});
}
