/** A longer text is no value of a search. */
const MAX_DECODED = 2_000;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

/** The letters from U+00C0 to U+00FF, in their order. */
const LATIN_LETTERS = [
	'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml',
	'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig',
	'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml',
	'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
].flatMap((names) => names.split(' '));

const CHARACTERS: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
	['lsquo', '‘'],
	['rsquo', '’'],
	['ndash', '–'],
	['Scaron', 'Š'],
	['scaron', 'š'],
	['OElig', 'Œ'],
	['oelig', 'œ'],
	...LATIN_LETTERS.map((name, index): [string, string] => [
		name,
		String.fromCodePoint(0xc0 + index),
	]),
]);

/** Text from the source of a web page as the page shows it: `&amp;` is `&`, also where it is `&amp;amp;`. */
export function decodeEntities(text: string): string {
	let decoded = text;
	for (let before = ''; before !== decoded && decoded.length <= MAX_DECODED;) {
		before = decoded;
		decoded = decoded.replace(ENTITY, toCharacter);
	}
	return decoded;
}

function toCharacter(entity: string, decimal?: string, hex?: string, name = ''): string {
	if (decimal === undefined && hex === undefined) return CHARACTERS.get(name) ?? entity;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return isCharacter ? String.fromCodePoint(code) : entity;
}
