// Loads one node as n8n does, and prints the milliseconds. n8n-workflow is there before any node.
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const [, , n8nDir, file] = process.argv;
createRequire(`${n8nDir}/node_modules/n8n/package.json`)('n8n-workflow');
const started = performance.now();
const loaded = createRequire(file)(file);
const NodeClass = loaded[basename(file, '.node.js')] ?? Object.values(loaded)[0];
new NodeClass();
console.log(performance.now() - started);
