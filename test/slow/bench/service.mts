import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { Question, SandboxChange, Traffic } from './sandboxProcess.mts';

/** The sandbox, in a process of its own so that it takes no time from what is measured. */
export interface Service {
	readonly baseUrl: string;
	/** Another one after each reset: recent searches of one account would be read, not paid. */
	readonly apiKey: string;
	/** Who saves the key somewhere does it here, after each reset. */
	onNewKey: (apiKey: string) => Promise<void>;
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
	const { baseUrl, ...first } = await next<{ baseUrl: string; apiKey: string }>(child);
	let { apiKey } = first;
	const ask = async <T,>(question: Question): Promise<T> => {
		const answer = next<T>(child);
		child.send(question);
		return await answer;
	};
	const service: Service = {
		baseUrl,
		get apiKey() {
			return apiKey;
		},
		onNewKey: async () => {},
		reset: async (options) => {
			apiKey = await ask<string>({ ask: 'reset', options });
			await service.onNewKey(apiKey);
		},
		traffic: async () => await ask<Traffic>({ ask: 'traffic' }),
		stop: () => child.disconnect(),
	};
	return service;
}

async function next<T>(child: ChildProcess): Promise<T> {
	const [message] = (await once(child, 'message')) as [T];
	return message;
}
