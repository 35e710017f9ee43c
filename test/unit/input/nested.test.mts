import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readEnvelope } from '../../../nodes/ContactData/input/envelope.ts';
import { isWritable } from '../../../nodes/ContactData/input/parameters.ts';
import { readSearchList } from '../../../nodes/ContactData/input/searchList.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { nestedTooDeeply } from '../../support/texts.mts';

// Values of more levels than JSON can be written of, however large the stack is.

const LEVELS = 1_000_000;
const DEEP = JSON.parse(`${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`) as IDataObject;
const { emailFinder } = lookups;

const refuse = ({ message, description }: { message: string; description: string }) => {
	throw new Error(`${message}. ${description}`);
};

it('cannot be sent', () => {
	expect(isWritable(DEEP)).toBe(false);
	expect(isWritable({ a: { a: 1 } })).toBe(true);
});

it('are refused as Custom Data', () => {
	const optionOf = (name: string) => (name === 'custom' ? DEEP : undefined);
	const request = { lookup: emailFinder, size: 'single' } as const;
	expect(() => readEnvelope(request, optionOf, undefined, refuse)).toThrow(
		`'Custom Data' ${nestedTooDeeply} to be sent. Give it fewer levels.`,
	);
});

it('are refused as custom of an entry', () => {
	const entry = { fullname: 'Ada Lovelace', company_name: 'Acme' };
	expect(() => readSearchList(emailFinder, [entry, { ...entry, custom: DEEP }], refuse)).toThrow(
		`Entry 2 of 'Searches': 'custom' ${nestedTooDeeply} to be sent. Correct the entry. Nothing of the list was started.`,
	);
});
