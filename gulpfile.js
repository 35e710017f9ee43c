const { rm } = require('node:fs/promises');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const OUT_DIR = 'dist';
const ASSETS = [
	'{credentials,nodes}/**/*.svg',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

const clean = () => rm(OUT_DIR, { recursive: true, force: true });

async function compile() {
	try {
		await promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc')]);
	} catch (error) {
		throw new Error(`TypeScript did not compile:\n${error.stdout || error.message}`);
	}
}

// gulp reads text as UTF-8 by default and would break a binary image added later.
const assets = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest(OUT_DIR));

exports.build = series(clean, parallel(compile, assets));
exports.default = exports.build;
