import { HookContext } from 'n8n-core';
import { onTestFinished, vi } from 'vitest';

export interface LogLine {
	level: 'error' | 'warn' | 'info';
	message: string;
}

/** What is written to n8n's log, until the test is over; every context of a node has the same. */
export function watchLog(): LogLine[] {
	const { logger } = HookContext.prototype;
	const lines: LogLine[] = [];
	for (const level of ['error', 'warn', 'info'] as const) {
		const writing = vi.spyOn(logger, level).mockImplementation((message) => {
			lines.push({ level, message });
		});
		onTestFinished(() => writing.mockRestore());
	}
	return lines;
}
