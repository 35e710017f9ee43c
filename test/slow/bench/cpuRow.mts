import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { temporaryFolder } from '../../support/n8n/folder.mts';
import type { InstalledN8n } from '../../support/n8n/install.mts';
import type { CpuFigures } from './cpuProcess.mts';
import { median, type Row, verdictOn, withRange } from './table.mts';

const PROCESS = fileURLToPath(new URL('cpuProcess.mts', import.meta.url));
const COUNT = 5_000;
/** Of the cost of an item among many: what grows with their square would be several times this. */
const MOST_GROWTH = 2;
const SET_NODE = 'node_modules/n8n-nodes-base/dist/nodes/Set/Set.node.js';

/** CPU of this package's own code, beside n8n's Set node on the same items. */
export async function measureCpu(
	installed: InstalledN8n,
	many: number,
	runs: number,
): Promise<Row> {
	const folder = await temporaryFolder('n8n-core');
	const args = [PROCESS, join(installed.dir, SET_NODE), COUNT, many, runs].map(String);
	const env = { ...process.env, N8N_USER_FOLDER: folder.path, N8N_LOG_LEVEL: 'silent' };
	const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', ...args], {
		env,
	}).finally(async () => await folder.remove());
	const figures = JSON.parse(stdout) as CpuFigures;

	const perThousand = (values: number[], count: number) =>
		withRange(
			values.map((ms) => (ms / count) * 1000),
			(ms) => `${ms.toFixed(1)} ms`,
		);
	const growth = median(figures.ownOfMany) / many / (median(figures.own) / COUNT);
	return {
		what: 'CPU of our own code per 1,000 items',
		ours: perThousand(figures.own, COUNT),
		beside: `Set node ${perThousand(figures.set, COUNT)}`,
		limit: '',
		target: 'less than the Set node, and no more for each of many items',
		met: verdictOn(median(figures.own) < median(figures.set) && growth < MOST_GROWTH),
		runs,
		notes: [
			`Through n8n-core in one process, network replaced, reading the parameters and the answers' JSON included; ${COUNT.toLocaleString('en')} items, two expressions such as {{ $json.domain }} each. At ${many.toLocaleString('en')} items an item costs ${growth.toFixed(2)} × as much.`,
			`With expressions that n8n has to resolve, such as {{ $json.domain.trim() }}: ${perThousand(figures.ownTrimmed, COUNT)}, Set node ${perThousand(figures.setTrimmed, COUNT)}.`,
		],
	};
}
