import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

// Node finds the names of a CommonJS file by reading it, as the compiler writes them.

test.for([
	['ContactData', 'nodes/ContactData/ContactData.node.js'],
	['ContactDataTrigger', 'nodes/ContactData/ContactDataTrigger.node.js'],
	['ContactDataApi', 'credentials/ContactDataApi.credentials.js'],
])('%s can be imported by its name into an ES module', async ([name, file]) => {
	const url = pathToFileURL(join(inject('unpacked'), 'dist', file)).href;
	const code = `import { ${name} } from '${url}'; console.log(new ${name}().constructor.name);`;
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--input-type=module',
		'--eval',
		code,
	]);
	expect(stdout.trim()).toBe(name);
});
