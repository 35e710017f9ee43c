import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// For tests and development tools. The eslint.config.mjs above belongs to n8n's strict mode, which
// refuses any change to it.
export default defineConfig({
	files: ['**/*.mts'],
	extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
	languageOptions: {
		parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
	},
	linterOptions: { reportUnusedDisableDirectives: 'error' },
	rules: {
		eqeqeq: 'error',
		'@typescript-eslint/consistent-type-imports': 'error',
		'@typescript-eslint/no-non-null-assertion': 'error',
		'@typescript-eslint/switch-exhaustiveness-check': [
			'error',
			{ considerDefaultExhaustiveForUnions: true },
		],
		// Stand-ins for asynchronous parts of n8n and of the service often have nothing to wait for.
		'@typescript-eslint/require-await': 'off',
		'@typescript-eslint/restrict-template-expressions': 'off',
	},
});
