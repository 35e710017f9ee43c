export const ROOT: string;
export function exitOnSignals(): void;
interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}
export function runCommand(
	command: string[],
	onOutput?: (text: string) => void,
	options?: CommandOptions,
): Promise<number>;
export function runNpm(
	args: string[],
	title: string,
	report: (line: string) => void,
	options?: CommandOptions,
): Promise<void>;
