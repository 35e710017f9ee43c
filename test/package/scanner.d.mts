/** The part of @n8n/scan-community-package, which has no types of its own, that the tests use. */
export const SOURCE_FILE_PATTERNS: string[];

export function analyzePackage(
	packageDir: string,
	filePatterns?: string[],
): Promise<{ passed: boolean; message?: string; details?: string }>;
