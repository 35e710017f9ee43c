import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { PARAMETERS_PAGE, parametersPage } from '../../support/docs/parameters.mts';

it('docs/parameters.md is made from the code: if not, `npm run renew` makes it', async () => {
	expect(await readFile(PARAMETERS_PAGE, 'utf8')).toBe(parametersPage());
});
