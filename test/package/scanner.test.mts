import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { expect, inject, test } from 'vitest';
import { ROOT } from './setup.mts';

// The patterns are those that n8n's scanner uses for a package that is to be verified.
test.for([
	{ what: 'the source', folder: ROOT, patterns: SOURCE_FILE_PATTERNS },
	{ what: 'the tarball', folder: inject('unpacked'), patterns: ['**/*.js', 'package.json'] },
])("n8n's scanner finds nothing in $what", async ({ folder, patterns }) => {
	expect(await analyzePackage(folder, patterns)).toEqual({ passed: true });
});
