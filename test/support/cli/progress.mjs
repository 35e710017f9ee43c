const LOG_INTERVAL_MS = 30_000;

export function createProgress() {
	const { stderr } = process;
	const write = stderr.isTTY ? overwriting(stderr) : appending(stderr);
	return { report: write, clear: () => stderr.isTTY && write('') };
}

function overwriting(stream) {
	return (line) => stream.write(`\r\x1b[2K${line.slice(0, (stream.columns || 80) - 1)}`);
}

function appending(stream) {
	let shown = '';
	let shownAt = 0;
	return (line) => {
		// What only counts on is the same thing going on.
		const title = line.replace(/\d+/g, '');
		if (title === shown && Date.now() - shownAt < LOG_INTERVAL_MS) return;
		shown = title;
		shownAt = Date.now();
		stream.write(`${line}\n`);
	};
}
