import { expect } from 'vitest';

import type { Sandbox } from '../support/sandbox/server.mts';

export const FIND = {
	resource: 'emailFinder',
	operation: 'submitAndWait',
	fullname: '={{ $json.fullname }}',
	companyDomain: 'acme.example',
};

export const idsCharged = ({ ledger }: Sandbox) => new Set(ledger.entries.map(({ id }) => id));

export function expectPaidOnce({ ledger }: Sandbox, searches: number): void {
	expect(ledger.totals().searches).toBe(searches);
	expect(ledger.chargedTwice()).toEqual([]);
}
