import type { Problem } from '../common/errors';
import { epochSeconds } from '../common/time';
import { counted, tellAmount, tellCredits } from '../common/values';
import type { Task } from '../input/settings';
import type { Run } from '../run/run';
import type { Lookup } from '../lookups/types';
import type { Memory } from './memory';
import type { Cost } from './order';
import type { Price } from './prices';

type LimitedRun = Pick<Run, 'settings' | 'call' | 'continueOnFail'>;

/** Why a cap lets so many more searches not start. */
export function capProblem(
	{ settings, call, continueOnFail }: LimitedRun,
	price: Price,
	searches: number,
	{ credits, inDoubt }: Cost,
): Problem {
	const { maxCredits = 0, lookup } = settings;
	const isUnspent = credits === 0 && inDoubt === 0;
	const others = searches * price.credits;
	const perhaps = inDoubt === 0 ? '' : `, and perhaps ${tellAmount(inDoubt * price.credits)} more`;
	const who = call === undefined ? 'this run has' : 'the calls of this execution have';
	const rest = searches === 1 ? lookup.noun.one : counted(searches, '', lookup.noun.many);
	const what = isUnspent
		? `does not cover ${describeCost(lookup, price, searches)}`
		: `is reached: ${who} spent ${tellAmount(credits)}${perhaps}, and the other ${rest} would cost ${tellAmount(others)}`;
	const enough = tellAmount(Math.ceil(100 * others) / 100);
	const advice = [
		maxCredits === 0 && '0 lets nothing be spent.',
		call && ONLY_THE_USER,
		!call &&
			others > maxCredits &&
			`Raise 'Max Credits' in Options to ${enough}${isUnspent ? orFewer(searches) : ''}.`,
		!call && continueOnFail && !isUnspent && tellNextRun(settings.task, searches),
	];
	return toCapProblem(settings.maxCredits, what, searches, advice);
}

/** A Start pays for each search again. */
function tellNextRun(task: Task, searches: number): string {
	return task === 'start'
		? "Send only the items with this error: the next run may spend 'Max Credits' anew."
		: `The next run may spend 'Max Credits' anew, and pays only for ${searches === 1 ? 'this one' : 'these'}.`;
}

const ONLY_THE_USER = 'Go on with the results that there are; only the user can raise it.';

/** Why a cap cannot be kept: the charge of the first search is not known. */
export function unsureProblem(
	{ settings, call }: LimitedRun,
	searches: number,
	isUntold: boolean,
): Problem {
	const first = `the first ${settings.lookup.noun.one} has cost`;
	const [what, advice] = isUntold
		? [
				`the service does not say what ${first}`,
				"To search without a cap, take 'Max Credits' out of Options.",
			]
		: [`nobody knows what ${first}`, 'A later run learns the price from another search.'];
	return toCapProblem(settings.maxCredits, `cannot be kept, because ${what}`, searches, [
		call ? ONLY_THE_USER : advice,
	]);
}

function toCapProblem(
	maxCredits = 0,
	what: string,
	searches: number,
	advice: ReadonlyArray<string | false | undefined>,
): Problem {
	return {
		message: `'Max Credits' of ${maxCredits} ${what}`,
		description: [notCharged(searches), ...advice].filter(Boolean).join(' '),
		limit: 'run',
	};
}

/** Why the limit of the account's day lets so many more searches not start. */
export function dayProblem(
	{ settings: { lookup }, connection: { account } }: Pick<Run, 'settings' | 'connection'>,
	price: Price,
	searches: number,
	{ credits: spent, freeAt }: Memory['ofDay'],
): Problem {
	const { maxCreditsPerDay = 0 } = account;
	const rest = searches === 1 ? lookup.noun.one : counted(searches, '', lookup.noun.many);
	const what =
		spent === 0
			? `does not cover ${describeCost(lookup, price, searches)}`
			: `is reached: ${tellCredits(spent)} ${spent === 1 ? 'was' : 'were'} spent in the last 24 hours, and the other ${rest} would cost ${tellAmount(searches * price.credits)}`;
	const free =
		spent === 0 ? '' : ` The first of these credits are free again in ${tellTime(freeAt)}.`;
	return {
		message: `'Max Credits per Day' of ${tellAmount(maxCreditsPerDay)} ${what}`,
		description: `${notCharged(searches)}${free} The limit is in the Contact Data API credential, and counts all that its key spends.`,
		limit: 'day',
	};
}

/** How long it is until then. @param at in seconds since 1970 */
function tellTime(at: number): string {
	const minutes = Math.max(1, Math.ceil((at - epochSeconds()) / 60));
	return minutes < 120
		? counted(minutes, 'minute', 'minutes')
		: counted(Math.round(minutes / 60), 'hour', 'hours');
}

/** Why the account's balance does not cover them, even at the lowest price. */
export function balanceProblem(
	{ settings: { lookup }, continueOnFail }: LimitedRun,
	lowest: number,
	searches: number,
	left: number,
	isUnspent: boolean,
): Problem {
	const { noun, price } = lookup;
	const each = price.isDocumented ? 'at' : 'even at the lowest price of';
	const then = !isUnspent && continueOnFail ? ' Then send only the items with this error.' : '';
	return {
		message: `The account's balance of ${tellCredits(left)} does not cover ${counted(searches, noun.one, noun.many)} ${each} ${tellCredits(lowest)} each (${tellCredits(searches * lowest)})`,
		description: `${notCharged(searches)} Add credits to your account${isUnspent ? orFewer(searches) : ''}.${then}`,
	};
}

function orFewer(searches: number): string {
	return searches === 1 ? '' : ', or send fewer items';
}

export function notCharged(searches: number): string {
	return `Nothing was charged for ${searches === 1 ? 'that one' : 'those'}.`;
}

/** E.g. `4 phone searches at the usual 50 credits each (200 credits)`. */
export function describeCost({ noun }: Lookup, price: Price, searches: number): string {
	const usual = price.source === 'usual' ? 'the usual ' : '';
	return `${counted(searches, noun.one, noun.many)} at ${usual}${tellCredits(price.credits)} each (${tellCredits(searches * price.credits)})`;
}
