import { expect, it } from 'vitest';
import { refusalIn } from '../../../nodes/ContactData/service/refusals.ts';

// What is to be done about each row of the service's table: `contract/errors/table`.

it('every refusal says in a sentence what to do', () => {
	for (let status = 300; status < 600; status++) {
		const { message, description } = refusalIn(status, {});
		expect(message).toContain(`HTTP ${status}`);
		expect(description).toMatch(/^[A-Z].+\.$/s);
	}
});
