/** What was charged, and so what the user may do then. `explain` words it, by what else the run has paid for. */
export type Remedy =
	/** Nothing was charged for it: it may be started again. */
	| 'again'
	/** It is paid for, and its id can be read. */
	| 'read'
	/** It is paid for and finished: what there is can be looked at. */
	| 'look'
	/** Nothing was charged for it, and this execution starts nothing more. */
	| 'stop'
	/** It was paid for, and cannot be read any more: a retry pays for it again. */
	| 'anew'
	/** It may have been charged: nobody but the account's usage knows. */
	| 'checkUsage';

/** What is wrong, in the user's words. */
export interface Problem {
	message: string;
	/** How to fix it, in whole sentences; not what to do then. */
	description: string;
	remedy?: Remedy;
	/** What else fails of it: nothing, every request of the account, or all that the run has not started. */
	affects?: 'request' | 'account' | 'run';
	/** Whether the description names the id. */
	namesId?: boolean;
	/** HTTP status, where the service has refused something. */
	status?: number;
	/** What n8n has thrown, where it is n8n that has failed. */
	cause?: Error;
	/** Whether the reason is that nothing was filled in. */
	isOfNothing?: boolean;
	/** Whether the description names the column that was meant. */
	namesColumn?: boolean;
	/** The value of a field that cannot be used, in two or three words. */
	unfit?: { label: string; value: string; advice?: string };
	/** The limit of the user that is the reason: of a run, or of the account's day. */
	limit?: 'run' | 'day';
	/** Whether it only follows from the failure of another item. */
	isConsequence?: boolean;
}

/** What is paid for when something goes wrong. */
export interface Paid {
	/** What the ids are of. */
	size: 'single' | 'bulk';
	/** Ids, also of earlier tries of the run. */
	paidFor: readonly string[];
	/** Searches that may have been charged. */
	unsure: number;
}

/** What went wrong, with an input item or with a whole run. */
export interface Failure {
	problem: Problem;
	/** The input item; left out where it is of the whole run. */
	item?: number;
	/** The same as the user counts, where the run has several. */
	row?: string;
	/** As it was sent, or was to be; left out where it could not be read, or a whole list is meant. */
	search?: Readonly<Record<string, string>>;
	/** How many searches fail with it, where they were one batch. */
	searches?: number;
	/** The lookup or batch that it is about. */
	ids?: { id?: string; batch_id?: string };
	/** Where the service says that it has failed. */
	status?: 'failed';
	/** Told where it ends the run. */
	paid?: Paid;
}

/** Ends the reading of an item, or a run. The error that n8n shows is made of it in the end. */
export class ProblemError extends Error {
	constructor(readonly failure: Failure) {
		super(failure.problem.message);
	}
}

/** @throws ProblemError */
export function refuse(problem: Problem): never {
	throw new ProblemError({ problem });
}

/** What was thrown, as data; of an error of n8n with its message, and its description if it has one. */
export function toFailure(thrown: unknown): Failure {
	if (thrown instanceof ProblemError) return thrown.failure;
	const cause = ensureError(thrown);
	const description = 'description' in cause ? cause.description : undefined;
	return {
		problem: {
			message: cause.message,
			description: typeof description === 'string' ? description : '',
			cause,
		},
	};
}

/** What was thrown, as an error, whatever it is. */
export function ensureError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
