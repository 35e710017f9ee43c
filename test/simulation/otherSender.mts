import type { SandboxService } from '../support/sandbox/service.mts';
import { definitionOf, toBulkBody } from './people.mts';
import type { Schedule } from './schedule.mts';

const NAME = 'other-sender';

/** Another program that submits with the same key. Returns how to end it. */
export function startOtherSender(
	{ otherSender, resource, size }: Schedule,
	service: SandboxService,
	key: string,
): () => void {
	if (otherSender === undefined) return () => {};
	const { path } = definitionOf(resource, size);
	const until = Date.now() + otherSender.ms;
	let count = 0;
	let timer: NodeJS.Timeout | undefined;
	const send = () => {
		count++;
		const search = {
			fullname: `${NAME} ${count}`,
			company_domain: 'other.com',
			email: `${NAME}-${count}@other.com`,
			socialprofile_url: `https://linkedin.com/in/${NAME}-${count}`,
		};
		const body = size === 'single' ? search : toBulkBody(resource, [search]);
		service.handle({ method: 'POST', path, query: {}, headers: { 'x-api-key': key }, body });
		if (Date.now() < until) timer = setTimeout(send, 1000 / otherSender.perSecond);
	};
	send();
	return () => clearTimeout(timer);
}

/** Whether a search in the ledger is the other program's. */
export function isOfOtherSender(search: string): boolean {
	return search.includes(NAME);
}
