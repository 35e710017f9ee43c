export interface Progress {
	/** Shows what is being done, in place of what it showed before. */
	report: (line: string) => void;
	/** Takes the line away, so that something lasting can be printed. */
	clear: () => void;
}

/**
 * A line on stderr that says what is going on. In a terminal it is written over in place; in a log
 * a line is added when something else begins, and every half minute.
 */
export function createProgress(): Progress;
