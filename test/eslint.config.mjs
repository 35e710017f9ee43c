import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

import floors from './lint/floors.cjs';

const { FLOORS, SEES_N8N } = floors;

// For tests and development tools. The eslint.config.mjs above belongs to n8n's strict mode, which
// refuses any change to it.
const tests = {
	files: ['**/*.mts'],
	extends: [tseslint.configs.recommendedTypeChecked],
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
};

const longLists = {
	selector: 'CallExpression[callee.property.name=/^(max|min|push|unshift)$/] > SpreadElement',
	message:
		'A call with more than 100,000 arguments ends with an error: a run may have as many items.',
};

const spreads = {
	files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	languageOptions: { parser: tseslint.parser },
	rules: { 'no-restricted-syntax': ['error', longLists] },
};

const belowTheDoor = FLOORS.flatMap(({ folders }) => folders).filter(
	(folder) => !SEES_N8N.includes(folder),
);

/** Functions below the floors that n8n calls get plain values: each shows what it needs. */
const product = {
	files: belowTheDoor.map((folder) => `nodes/ContactData/${folder}/**/*.ts`),
	languageOptions: { parser: tseslint.parser },
	rules: {
		'no-restricted-syntax': [
			'error',
			longLists,
			{ selector: 'TSImportType', message: 'Import types by name, at the top of the file.' },
		],
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						group: ['n8n-workflow'],
						importNamePattern: '^I\\w+Functions$',
						message: "n8n's context is put down at the door: see test/lint/floors.cjs.",
					},
				],
			},
		],
	},
};

/** No text, however long, may keep n8n busy: the work of a pattern grows as the text does. */
const patterns = {
	files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	languageOptions: { parser: tseslint.parser },
	plugins: { regexp },
	rules: {
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		'regexp/no-super-linear-move': [
			'error',
			{ report: 'potential', ignorePartial: false, ignoreSticky: false },
		],
	},
};

/**
 * The rules of eslint-plugin-n8n-nodes-base at the version of package.json; n8n's own lint brings an
 * older one. Off is what it switches off, too.
 */
const ofNodes = (files, { rules }, off = []) => ({
	files,
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	languageOptions: {
		parser: tseslint.parser,
		parserOptions: { extraFileExtensions: ['.json'] },
	},
	rules: { ...rules, ...Object.fromEntries(off.map((rule) => [`n8n-nodes-base/${rule}`, 'off'])) },
});
const { community, credentials, nodes } = n8nNodesBase.configs;
const conventions = [
	ofNodes(['package.json'], community),
	ofNodes(['credentials/**/*.ts'], credentials, [
		'cred-class-field-documentation-url-miscased',
		'cred-class-field-type-options-password-missing',
	]),
	ofNodes(['nodes/**/*.ts'], nodes, [
		'node-class-description-inputs-wrong-regular-node',
		'node-class-description-outputs-wrong',
		'node-param-type-options-max-value-present',
	]),
];

export default defineConfig(tests, spreads, product, patterns, conventions);
