import { inject } from 'vitest';

/** What an older n8n does not do, whatever the node does; `test/slow/versions` says which lacks what. */
export type Missing =
	| 'signed resume URLs'
	| 'custom data in nodes'
	| 'settings of the workflow in nodes'
	| 'errors as answers of tools'
	| 'success with an error of null'
	| 'operations that a model chooses';

declare module 'vitest' {
	export interface ProvidedContext {
		missing: Missing[] | undefined;
	}
}

/** Whether the n8n under test lacks it. */
export function isMissing(what: Missing): boolean {
	return inject('missing')?.includes(what) === true;
}
