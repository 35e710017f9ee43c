/** A host by its number. */
export const LITERAL = /^\[[^\]]*\]$/;

/** A longer text is no address, and nothing is looked for in it. */
const MAX_CELL = 1_000;
const ENCODED_SPACE = /%(?:20|09|0a|0d)/gi;
const LINK = /^(?:mailto:\s*)+([^?]*)/i;
const NAMED = /^[^<>]*<([^<>@]+@[^<>@]+)>$/;
/** What stands around an address that was copied from a sentence or a list. */
const BEFORE = /^[\s<('"]{1,9}(?=[^\s"]+$)/;
const AFTER = /[\s,;.:>)'"\]/]{1,9}$/;

/** The address in what a cell of a list holds; a text without one as it is. */
export function toAddress(text: string): string {
	if (text.length > MAX_CELL) return text;
	const decoded = text.replace(ENCODED_SPACE, ' ').trim();
	const linked = LINK.exec(decoded)?.[1]?.trim() ?? decoded;
	const address = NAMED.exec(linked)?.[1]?.trim() ?? linked;
	const [name, host] = splitAddress(address);
	if (name === '' || LITERAL.test(host)) return address;
	return address.replace(AFTER, '').replace(BEFORE, '');
}

/** At the last `@`; what has none is all host. */
export function splitAddress(address: string): [name: string, host: string] {
	const at = address.lastIndexOf('@');
	return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
}
