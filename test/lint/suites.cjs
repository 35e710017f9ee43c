// `depcruise --config test/lint/suites.cjs test`: suites share what is in `support`, and nothing else.

/** A folder of `test`, but for those beside the suites; those of `slow` are suites of their own. */
const SUITE = '^test/(slow/[^/]+|(?!slow/|support/|lint/)[^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'suites-share-only-support',
			comment: 'What two suites need belongs in test/support.',
			severity: 'error',
			from: { path: SUITE },
			to: { path: '^test/[^/]+/', pathNot: '^test/($1|support)/' },
		},
		{
			name: 'support-serves-suites',
			comment: 'Support knows no suite, or suites would reach each other through it.',
			severity: 'error',
			from: { path: '^test/support/' },
			to: { path: '^test/[^/]+/', pathNot: '^test/support/' },
		},
		{
			name: 'every-import-is-found',
			comment: 'An import that is not found would not be judged by the rules above.',
			severity: 'error',
			from: { path: '^test/' },
			to: { couldNotResolve: true, path: '^[.]' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(dist|test/support/n8n/node_modules)/' },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			extensions: ['.mts', '.ts', '.d.mts', '.mjs', '.cjs', '.js', '.json'],
		},
	},
};
