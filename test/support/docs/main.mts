// `npm run docs`: writes the pages of docs that are made from the code.
import { writeFile } from 'node:fs/promises';
import { PARAMETERS_PAGE, parametersPage } from './parameters.mts';
import { TROUBLESHOOTING_PAGE, troubleshootingPage } from './troubleshooting.mts';

await writeFile(PARAMETERS_PAGE, parametersPage());
await writeFile(TROUBLESHOOTING_PAGE, await troubleshootingPage());
