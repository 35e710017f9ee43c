import { expect, inject, test } from 'vitest';
import { ROOT } from './setup.mts';

// With `test`, which vitest sets, some of the scanner's rules take every file for a trigger's.
process.env.NODE_ENV = 'production';
const { analyzePackage, SOURCE_FILE_PATTERNS } =
	await import('@n8n/scan-community-package/scanner/scanner.mjs');

// The patterns are those that n8n's scanner uses for a package that is to be verified.
test.for([
	{ what: 'the source', folder: ROOT, patterns: SOURCE_FILE_PATTERNS },
	{ what: 'the tarball', folder: inject('unpacked'), patterns: ['**/*.js', 'package.json'] },
])("n8n's scanner finds nothing in $what", async ({ folder, patterns }) => {
	expect(await analyzePackage(folder, patterns)).toEqual({ passed: true });
});
