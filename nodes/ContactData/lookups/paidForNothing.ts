import type { Lookup, Search } from './types';

/** Where people have a mailbox of their own, at whatever company they work. */
const MAILBOX_PROVIDERS = new Set(
	[
		'aol.com fastmail.com gmail.com gmx.at gmx.ch gmx.de gmx.net googlemail.com hotmail.com icloud.com',
		'laposte.net libero.it live.com mac.com mail.com mail.ru me.com msn.com orange.fr outlook.com',
		'proton.me protonmail.com qq.com t-online.de wanadoo.fr web.de yahoo.com yandex.ru ymail.com 163.com',
	].flatMap((domains) => domains.split(' ')),
);
/** The same under each country's ending. */
const OF_EACH_COUNTRY = /^(?:hotmail|live|outlook|yahoo)(?:\.[a-z]{2,3}){1,2}$/;
/** In other letters a whole name may be one word. */
const LATIN_WORD = /^[\p{Script=Latin}\p{M}.'’-]+$/u;

/**
 * Why a search that the service takes will probably find nobody; `undefined` where nothing speaks against
 * it. It is no error: who pays for it decides.
 */
export function tellDoubt(lookup: Lookup, search: Search): string | undefined {
	const asked = lookup.identity(search);
	const doubts = lookup.fields.flatMap(({ name, label, kind }) => {
		const text = asked[name] ?? '';
		if (kind === 'name' && /[,;()[\]{}]/.test(text)) {
			return `'${label}' has a comma or brackets in it`;
		}
		if (name === 'fullname' && LATIN_WORD.test(text)) return `'${label}' is one word`;
		const isMailbox = MAILBOX_PROVIDERS.has(text) || OF_EACH_COUNTRY.test(text);
		return kind === 'domain' && isMailbox
			? `'${label}' is ${text}, where people have private mailboxes`
			: [];
	});
	return doubts.length === 0 ? undefined : doubts.join('; ');
}
