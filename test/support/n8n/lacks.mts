import { lackedBy, type Feature } from './features.mts';
import { ensureN8n } from './install.mts';

const installed = await ensureN8n();
const lacked = lackedBy(installed);

/** Whether the n8n under test lacks something, so that tests are skipped; says so. */
export function lacks(feature: Feature): boolean {
	if (!lacked.includes(feature)) return false;
	console.log(`n8n ${installed.version} has not got ${feature}: what needs it is skipped.`);
	return true;
}
