/** A link as web pages, Markdown, chats, sheets and mail programs write it: the address that it leads to. */
const LINKS = [
	/^<a\s[^<>]*href=["']?([^"'\s<>]+)(?:["'\s][^<>]*)?>.*<\/a>$/is,
	/^\[[^[\]]*\]\(([^\s()]+)\)$/,
	/^<([^\s<>|]+)\|[^<>]*>$/,
	/^=[A-Z_]+\(\s*"([^"\s]+)".*\)$/i,
	/^mailto:([^?]+)(?:\?.*)?$/i,
	/^[^<>]*<([^\s<>@]+@[^\s<>]+)>$/,
];
const QUOTED =
	/^(?:"([^"]*)"|'([^']*)'|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|‹([^‹›]*)›|‘([^‘’]*)’|\x60([^\x60]*)\x60|\*{1,2}([^*]*)\*{1,2})$/;
const IN_BRACKETS = /^(?:<([^<>]*)>|\(([^()]*)\)|\[([^[\]]*)\])$/;
const WRAPPINGS = [...LINKS, QUOTED, IN_BRACKETS];
const BULLET = /^[*•·▪●‣◦–—-]\s+/u;
/** `Website: https://acme.com`. What follows ends it, as `acme:80.com` has no label. */
const LABEL = /^[\p{L} -]{1,30}:(?:\s+|(?=https?:\/\/|www\.|[^\s:@/]+@))/iu;
/** `acme.com (work)`, and the sign of a list or a sentence. */
const BEHIND = / \([^()]*\)$|[ ,;]$|(?<!\.)\.$/;

/** A value without what stands around it in a cell: an address of a person, of a page, or of a host. */
export function peel(text: string): string {
	let inner = text;
	for (let before = ''; before !== inner;) {
		before = inner;
		for (const form of WRAPPINGS) {
			const [, ...parts] = form.exec(inner) ?? [];
			inner = parts.find((part) => part !== undefined && part !== '') ?? inner;
		}
		inner = inner.replace(BULLET, '').replace(LABEL, '').replace(BEHIND, '').trim();
		if (!inner.includes('(')) inner = inner.replace(/\)$/, '');
	}
	return inner;
}
