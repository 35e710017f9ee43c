const { execFile } = require('node:child_process');
const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
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

// TypeScript indents by four spaces, writes `(0, a_1.b)()` so that `b` gets no `this`, which no function
// here reads, begins with `exports.b = void 0`, which is so anyway, and with a mark for default exports,
// of which there are none, and exports each name in a line; of types it leaves an empty file; and people
// read the JSON in the repository. Without that the package is 4 kB smaller.
async function shrink() {
	const names = await readdir(OUT_DIR, { recursive: true });
	for (const name of names.filter((one) => /\.js(on)?$/.test(one))) {
		const file = join(OUT_DIR, name);
		const text = await readFile(file, 'utf8');
		const small = name.endsWith('.json') ? minify(text) : tidy(text);
		await (small === ONLY_TYPES ? rm(file) : writeFile(file, small));
	}
}

const minify = (json) => JSON.stringify(JSON.parse(json));
const ONLY_TYPES = '"use strict";\n';
const tidy = (code) =>
	code
		.replace(/^Object\.defineProperty\(exports, "__esModule".*\n/m, '')
		.replace(/^(?: {4})+/gm, ({ length }) => '\t'.repeat(length / 4))
		.replace(/\(0, (\w+_1\.\w+)\)\(/g, '$1(')
		.replace(/^(?:exports\.\w+ = )+void 0;\n/gm, '')
		.replace(/(?:^exports\.(\w+) = \1;\n)+/gm, (lines) => {
			const names = lines.match(/\w+(?=;)/g);
			return `Object.assign(exports, { ${names.join(', ')} });\n`;
		});

// gulp reads text as UTF-8 by default and would break a binary image added later.
const assets = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest(OUT_DIR));

exports.build = series(clean, parallel(compile, assets), shrink);
exports.default = exports.build;
