// A part of `npm run renew`: writes the page of docs that is made from the code.
import { writeFile } from 'node:fs/promises';
import { PARAMETERS_PAGE, parametersPage } from './parameters.mts';

await writeFile(PARAMETERS_PAGE, parametersPage());
