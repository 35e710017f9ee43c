export const ROOT: string;
export function exitOnSignals(): void;
export function runCommand(command: string[], onOutput?: (text: string) => void): Promise<number>;
