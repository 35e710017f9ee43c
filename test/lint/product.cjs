// `depcruise --config test/lint/product.cjs nodes credentials`: keeps the floors of the product.
const { FLOORS } = require('./floors.cjs');

const HOUSE = '^nodes/ContactData/';
const inFolders = (folders) => `${HOUSE}(${folders.join('|')})/`;
const all = FLOORS.flatMap(({ folders }) => folders);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...FLOORS.map(({ folders, theme }, floor) => {
			const below = FLOORS.slice(0, floor).flatMap((lower) => lower.folders);
			return {
				name: `${folders.join('-and-')}-imports-from-below`,
				comment: `Floor ${floor}, ${folders.join(' and ')} (${theme}), may import from: itself${below.map((folder) => `, ${folder}`).join('')}.`,
				severity: 'error',
				from: { path: inFolders(folders) },
				to: {
					path: HOUSE,
					pathNot: [`${HOUSE}$1/`, ...(below.length > 0 ? [inFolders(below)] : [])],
				},
			};
		}),
		{
			name: 'every-folder-has-a-floor',
			comment: 'A new folder needs a place in FLOORS (test/lint/floors.cjs).',
			severity: 'error',
			from: { path: `${HOUSE}[^/]+/`, pathNot: inFolders(all) },
			to: {},
		},
		{
			name: 'the-credential-stands-alone',
			comment: 'n8n loads the credential without the nodes.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/' },
		},
		{
			name: 'the-credential-is-input',
			comment: 'What is read from the credential is handed down as plain values.',
			severity: 'error',
			from: { path: HOUSE, pathNot: inFolders(['input', 'run']) },
			to: { path: '^credentials/' },
		},
		{
			name: 'no-circle',
			comment: 'Files that import each other in a circle cannot be understood one by one.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'every-import-is-found',
			comment: 'An import that is not found would not be judged by the rules above.',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true, path: '^[.]' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		// An import of a type alone is an import: it says who has to know whom.
		tsPreCompilationDeps: true,
		enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
	},
};
