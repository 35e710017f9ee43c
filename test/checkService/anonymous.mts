/** Words that the service's document has, and those that say what became of a request. */
const WORDS = new Set(
	`
	a about absent accepted access account active activated all allowed already amount an and any apikey
	api are array at attempt auth authorization available
	back bad balance batch batches be because been before body both bulk but by
	cancelled canceled cannot channel check code company companyinfo complete completed condition content cost
	could count country created credit credits currently custom
	data date day days delayed delivery denied detail details disabled discovery does domain done down duplicate
	duration
	each email emails empty enabled encoding ended entries entry enrichment error errors estimated event events
	exceeded exist expected expired external
	failed failure features feature field fields file final find finder finished finishing first firstname for forbidden
	format found from frompaygo fromsub full fullname
	gateway gender general get given gone
	had has hash have header headers host hour hours how http
	id identifier ids if ignored in index info initial input insufficient internal invalid is it item items
	job json just
	keep key
	last lastname least length less limit limited limits linkedin linkedin list lookup lookups
	maintenance malformed mandatory many match matched maximum message method minimum minute minutes missing
	mixed ms multiple must
	name names need needed needs new no none not nothing notification null number numbers
	object of offset on once one ongoing only open or other out over
	page params param parameter parameters parse parsed parsing partial pay payload paygo payment pending per
	permission phone phones plan please post present price probability process processed processing profile
	progress provided provider
	qualification quantity query queue queued quota
	rate ratelimit raw reached ready reason received record recorded records refund refunded refunds
	remaining request requested requests require required reset result results resume retried retrieve retry
	returned running
	search searches second seconds send sent server service session settings short signature single size
	socialprofile some source split started state stats status still stored string sub submission submitted
	subscription success successful sum supported
	task tasks temporarily temporary test text that the them there this time timeout timestamp title to too total
	try type
	unable unauthorized unavailable unexpected unit units unknown unlimited until update upgrade uri url urls use
	used user usage
	valid validation value values verif verification verifications verified verifier verify version
	wait waiting was webhook webhooks website were when while with wrong x yes yet you your
	`
		.trim()
		.split(/\s+/),
);
/** Of a notification or an answer; whatever else is one of these or not said. */
const TYPES = new Set([
	'application/json',
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	'text/html',
	'text/plain',
]);
/** Fields whose words tell what became of a request. */
const TELLING =
	/^(qualification|status|state|event|source|code|gender|message|reason|errors?|details?)$/i;
/** Fields whose numbers count something. */
const COUNTING =
	/^(index|status|code|estimated_duration|requested|finished|valid|found|credits_(used|cost|to_refund)|amount|initial|refunded|final|fromsub|frompaygo|cost)$/i;
/** A larger one may be somebody's. */
const LARGEST = 9_999;
const MAX_TEXT = 200;
const MAX_ENTRIES = 5;
/** Punctuation around a word. */
const AROUND = /^(["'([]*)(.*?)(["')\].,:;!?]*)$/s;

/** Shows of what others say only the words of closed lists, and of all else how long it is. */
export class Words {
	readonly #searched: ReadonlySet<string>;

	/** @param searched whoever is searched for, whose words are not shown even where they are listed */
	constructor(searched: readonly string[]) {
		const words = searched.flatMap((text) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
		this.#searched = new Set(words.filter((word) => word !== 'linkedin'));
	}

	/** A sentence: its listed words. */
	text(text: string): string {
		const shown = text
			.slice(0, MAX_TEXT)
			.split(/\s+/)
			.filter((token) => token !== '')
			.map((token) => {
				const [, before = '', word = '', behind = ''] = AROUND.exec(token) ?? [];
				const parts = word.toLowerCase().split(/[-_/]/);
				const isSearched = parts.some((part) => this.#searched.has(part));
				return `${before}${isSearched ? hidden(word.length) : this.name(word)}${behind}`;
			});
		return `${shown.join(' ')}${text.length > MAX_TEXT ? ` ${hidden(text.length - MAX_TEXT)}` : ''}`;
	}

	/** A name of a field or a header, or a single word, if each of its parts is listed. */
	name(name: string): string {
		const parts = name.split(/[-_/]|(?<=\p{Ll})(?=\p{Lu})/u);
		const isListed = parts.every((part) => WORDS.has(part.toLowerCase()));
		return name === '' || isListed ? name : hidden(name.length);
	}

	/** A content type, without its parameters. */
	type(type: string | undefined): string {
		const [kind = ''] = type?.toLowerCase().split(';') ?? [];
		return TYPES.has(kind.trim())
			? kind.trim()
			: type === undefined
				? 'no content type'
				: hidden(type.length);
	}

	/** What a body looks like. */
	shape(value: unknown, key = ''): unknown {
		if (Array.isArray(value))
			return value.slice(0, MAX_ENTRIES).map((entry) => this.shape(entry, key));
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([name, field]) => [this.name(name), this.shape(field, name)]),
			);
		}
		if (typeof value === 'string')
			return TELLING.test(key) ? this.text(value) : hidden(value.length);
		if (typeof value !== 'number') return value;
		return COUNTING.test(key) && Math.abs(value) <= LARGEST ? value : '<number>';
	}
}

function hidden(length: number): string {
	return `<${length}>`;
}
