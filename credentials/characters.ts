const NAMES: Record<string, string> = {
	'\t': 'tab',
	'\n': 'line feed',
	'\r': 'carriage return',
	' ': 'space',
	'\u00a0': 'no-break space',
	'\u00ad': 'soft hyphen',
	'\u200b': 'zero width space',
	'\u200c': 'zero width non-joiner',
	'\u200d': 'zero width joiner',
	'\u200e': 'left-to-right mark',
	'\u200f': 'right-to-left mark',
	'\u2028': 'line separator',
	'\u2060': 'word joiner',
	'\ufeff': 'zero width no-break space',
};

/** A character by a name that can be read, also where it shows nothing itself. */
export function nameOf(character: string): string {
	if (/^[!-~]$/.test(character)) return `"${character}"`;
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	const name = NAMES[character];
	return `the character U+${code}${name === undefined ? '' : ` (${name})`}`;
}
