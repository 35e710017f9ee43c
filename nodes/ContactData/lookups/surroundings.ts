/** A link as web pages, Markdown, chats and sheets write it: the address that it leads to. */
const LINKS = [
	/^<a\s[^<>]*href=["']?([^"'\s<>]+)(?:["'\s][^<>]*)?>.*<\/a>$/is,
	/^\[[^[\]]*\]\(([^\s()]+)\)$/,
	/^<([^\s<>|]+)\|[^<>]*>$/,
	/^=[A-Z_]+\(\s*"([^"\s]+)".*\)$/i,
];
const QUOTED =
	/^(?:"([^"]*)"|'([^']*)'|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|‹([^‹›]*)›|‘([^‘’]*)’|\x60([^\x60]*)\x60)$/;
const IN_BRACKETS = /^(?:<([^<>]*)>|\(([^()]*)\)|\[([^[\]]*)\])$/;
const FORMS = [...LINKS, QUOTED, IN_BRACKETS];
const BULLET = /^[*•·▪●‣◦–—-]\s+/u;
/** `Website: https://acme.com`. A space or a scheme ends it, as `acme:80.com` is no label. */
const LABEL = /^[\p{L} ]{1,30}:(?:\s+|(?=https?:\/\/|www\.))/iu;
/** `acme.com (work)`, or the comma of a list. */
const BEHIND = / \([^()]*\)$|[ ,;]$/;

/** The address of a page or a host, without what stands around it in a cell. */
export function peel(text: string): string {
	let inner = text;
	for (let before = ''; before !== inner;) {
		before = inner;
		for (const form of FORMS) {
			const [, ...parts] = form.exec(inner) ?? [];
			inner = parts.find((part) => part !== undefined && part !== '') ?? inner;
		}
		inner = inner.replace(BULLET, '').replace(LABEL, '').replace(BEHIND, '').trim();
	}
	return inner;
}
