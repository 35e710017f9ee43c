import { readFile } from 'node:fs/promises';
import { type Message, readMessages } from './messages.mts';

export const TROUBLESHOOTING_PAGE = new URL('../../../docs/troubleshooting.md', import.meta.url);

const PLACE = /<!-- messages -->[^]*<!-- \/messages -->/;

/** The sections of the page, and the files whose messages are in them; the first that fits counts. */
const SECTIONS: ReadonlyArray<readonly [title: string, of: RegExp]> = [
	['Credential and connection', /^credentials\/|\/service\/|\/input\/(credential|callback|run)/i],
	['Credits', /\/spending\/|\/input\/(maxCredits|executionNotes|toolCall)/],
	['Fields and options', /\/input\/|\/lookups\//],
	['Pausing', /\/pausing\//],
	['The trigger', /\/trigger\//],
	['Results', /./],
];

/** The page as it should be: the messages of the code stand in their sections, in order. */
export async function troubleshootingPage(): Promise<string> {
	const page = await readFile(TROUBLESHOOTING_PAGE, 'utf8');
	const sections = sectionsOf(await readMessages());
	return page.replace(PLACE, () => `<!-- messages -->\n\n${sections}\n\n<!-- /messages -->`);
}

function sectionsOf(messages: readonly Message[]): string {
	const bySection = new Map<string, Message[]>();
	for (const message of messages) {
		const [title] = SECTIONS.find(([, of]) => of.test(message.file)) ?? [];
		if (title === undefined) throw new Error(`No section for the messages of ${message.file}`);
		bySection.set(title, [...(bySection.get(title) ?? []), message]);
	}
	return SECTIONS.flatMap(([title]) => {
		const rows = rowsOf(bySection.get(title) ?? []);
		return rows.length === 0
			? []
			: [[`### ${title}`, '', '| Message | What to do |', '| --- | --- |', ...rows].join('\n')];
	}).join('\n\n');
}

/** One for each message, whatever the files that have it. */
function rowsOf(messages: readonly Message[]): string[] {
	const rows = messages.map(
		({ message, description }) => `| ${cell(message)} | ${cell(description)} |`,
	);
	return [...new Set(rows)].sort((one, other) => one.localeCompare(other, 'en'));
}

function cell(text: string): string {
	return text
		.replaceAll(/\s+/g, ' ')
		.replaceAll(/…(?: …)+/g, '…')
		.replaceAll(/[|\\<>*_[\]`]/g, (character) => `\\${character}`)
		.trim();
}
