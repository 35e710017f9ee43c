import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { Question, SandboxChange, Traffic } from './sandboxProcess.mts';

/** The sandbox, in a process of its own so that it takes no time from what is measured. */
export interface Service {
	readonly baseUrl: string;
	readonly apiKey: string;
	/** As new, with these settings. */
	reset(options: SandboxChange): Promise<void>;
	/** The requests since the last reset. */
	traffic(): Promise<Traffic>;
	stop(): void;
}

export async function startService(): Promise<Service> {
	const child = fork(new URL('sandboxProcess.mts', import.meta.url), {
		execArgv: ['--import', 'tsx'],
	});
	const { baseUrl, apiKey } = await next<{ baseUrl: string; apiKey: string }>(child);
	const ask = async <T,>(question: Question): Promise<T> => {
		const answer = next<T>(child);
		child.send(question);
		return await answer;
	};
	return {
		baseUrl,
		apiKey,
		reset: async (options) => void (await ask({ ask: 'reset', options })),
		traffic: async () => await ask<Traffic>({ ask: 'traffic' }),
		stop: () => child.disconnect(),
	};
}

async function next<T>(child: ChildProcess): Promise<T> {
	const [message] = (await once(child, 'message')) as [T];
	return message;
}
