/** Fields whose values tell nothing of a person; of all others only the type is shown. */
const TELLING = new RegExp(
	`^(${[
		'index|qualification|status|state|event|source|success|code|gender|estimated_duration',
		'message|reason|errors?|details?|title|requested|finished|valid|found',
		'credits_(used|cost|to_refund)|amount|initial|refunded|final|fromSub|fromPaygo|cost',
	].join('|')})$`,
	'i',
);
const MAX_TEXT = 200;

/** What a body looks like, without what is in it. */
export function shapeOf(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.slice(0, 5).map((entry) => shapeOf(entry, key));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, field]) => [
				/^[a-z_][\w-]{0,40}$/i.test(name) ? name : '<name>',
				shapeOf(field, name),
			]),
		);
	}
	if (value === null || typeof value === 'boolean') return value;
	if (TELLING.test(key)) return typeof value === 'string' ? value.slice(0, MAX_TEXT) : value;
	return `<${typeof value}>`;
}

/** Takes out what was searched for, and all that looks like somebody or something of the account. */
export class Scrubber {
	readonly #patterns: readonly RegExp[];

	/** @param secrets in small or large letters; their words are taken out as well */
	constructor(secrets: readonly string[]) {
		const words = secrets
			.flatMap((secret) => secret.split(/[\s@/.-]+/))
			.filter((word) => word.length > 2 && !COMMON.test(word))
			.map((word) => `(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`);
		// An address before the domain in it.
		const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
		const whole = longestFirst.filter((secret) => secret !== '').map(escaped);
		this.#patterns = [...whole, ...words].map((pattern) => new RegExp(pattern, 'giu'));
	}

	clean(text: string): string {
		const without = this.#patterns.reduce((left, each) => left.replace(each, '<searched>'), text);
		return without
			.replace(/https?:\/\/[^\s"'<>]+/g, '<url>')
			.replace(/[^\s"'<>@]+@[^\s"'<>@]+/g, '<address>')
			.replace(/\+\d[\d -]{5,}/g, '<number>')
			.replace(/\b[0-9a-f-]{16,}\b/gi, '<id>');
	}
}

/** In every address. */
const COMMON = /^(https?:|www|com|linkedin)$/i;

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
