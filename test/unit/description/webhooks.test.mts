import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';

// n8n may resolve them when the sender has hung up, and can resolve no expression then.
it('no text of a webhook is an expression', () => {
	const webhooks = [new ContactData(), new ContactDataTrigger()].flatMap(
		({ description }) => description.webhooks ?? [],
	);
	expect(webhooks).toHaveLength(2);
	const texts = webhooks.flatMap((one) => Object.values(one).map(String));
	expect(texts.filter((text) => text.startsWith('='))).toEqual([]);
});
