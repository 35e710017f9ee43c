import { moreThanOne } from '../../support/texts.mts';

// What cells of lists hold where an email address should be.

/** What becomes of a cell: the address that is sent, the reason why it is invalid, or the error. */
export type Fate = { sent: string } | { reason: string } | { error: string };
/** What Verify makes of the cell, and what Verify Many. */
export type Row = [cell: string, single: Fate, bulk?: Fate];

const as = (sent: string): Fate => ({ sent });
const no = (reason: string): Fate => ({ reason });

const ADA = as('ada@acme.example');
const read = (...cells: string[]) => cells.map((cell): Row => [cell, ADA]);
const several = (...cells: string[]) => cells.map((cell): Row => [cell, { error: moreThanOne }]);
const beside = (cell: string): Row => [cell, { error: 'something stands beside it' }];
const asTheyAre = (...cells: string[]) => cells.map((cell): Row => [cell, as(cell)]);
const because = (reason: string, ...cells: string[]) =>
	cells.map((cell): Row => [cell, no(reason)]);
/** Only the service could say whether they are addresses. */
const unusual = (...cells: string[]) =>
	cells.map((cell): Row => [cell, as(cell), no('not of the usual form')]);

const HIDDEN = 'hidden by the web page that it was copied from';
const onlyExamples = (host: string) => `only examples have addresses at ${host}`;
const PAIRS = ['""', "''", '“”', '„“', '«»', '‹›', '‘’', '``', '()', '<>', '[]', '**'];

export const ROWS: Row[] = [
	...asTheyAre('ada@acme.example', "o'hara+news@acme.example", 'a+b@x.y.zz', 'who?@acme.example'),
	...asTheyAre('ada@müller.example', 'zoë@müller.de', 'a@उदाहरण.परीक्षा', 'ada@xn--mller-kva.de'),
	...asTheyAre('nemo-notfound@acme.example', 'noemail@acme.example', 'ada@mydomain.com'),
	// Signs that registries take between letters.
	...asTheyAre('info@paral·lel.cat', 'info@ア・イ.jp', 'Ada.Hart@Mail.Acme.CO.UK'),
	[' Ada@Acme.example ', as('Ada@Acme.example')],
	['mailto: Ada@Acme.example ?subject=x', as('Ada@Acme.example')],
	// Links of mail programs, web pages, chats, Markdown and sheets.
	...read('mailto:ada@acme.example', 'mailto:mailto:ada@acme.example'),
	...read('mailto:Ada <ada@acme.example>', 'mailto:ada@acme.example?subject=Hello'),
	...read('<mailto:ada@acme.example|ada@acme.example>', '[Ada](mailto:ada@acme.example)'),
	...read('[ada@acme.example](mailto:ada@acme.example)', 'SMTP:ada@acme.example'),
	...read('<a href="mailto:ada@acme.example">ada@acme.example</a>'),
	...read("<a class=x href='mailto:ada@acme.example?subject=x'>Write to me</a>"),
	...read('=HYPERLINK("mailto:ada@acme.example","Ada")'),
	...read('%20ada@acme.example', 'ada@acme.example%0A', 'ada%40acme.example'),
	// Labels, names and notes.
	...read('Email: ada@acme.example', 'E-Mail:ada@acme.example', '- ada@acme.example'),
	...read('•\tada@acme.example', 'ada@acme.example (work)'),
	...read('Ada Hart <ada@acme.example>', '"Hart, Ada" <ada@acme.example>'),
	...read("'ada@acme.example' <ada@acme.example>", 'ADA@acme.example <ada@acme.example>'),
	// Quotes of any sort, brackets, and what is behind an address in a list or a sentence.
	...PAIRS.flatMap(([from = '', to = '']) => read(`${from}ada@acme.example${to}`)),
	...read('**ada@acme.example**', '["ada@acme.example"]'),
	...[';', ',', '.', ')', ' ;'].flatMap((sign) => read(`ada@acme.example${sign}`)),
	// Other letters for the same.
	...read('\u200bada@acme\u00ad.example', 'ａｄａ＠ａｃｍｅ．ｅｘａｍｐｌｅ'),
	...read('ada&#64;acme.example'),
	// Two of them.
	...several('ada@acme.example, bea@acme.example', 'ada@acme.example; bea@acme.example'),
	...several('ada@acme.example bea@acme.example', 'ada@acme.example/bea@acme.example'),
	...several('Ada <ada@acme.example>, Bea <bea@acme.example>', 'ada@acme.example\nbea@acme'),
	...several('mailto:ada@acme.example,bea@acme.example', 'Bea bea@x.example <ada@acme.example>'),
	...several('mailto:ada@acme.example?cc=bea@acme.example'),
	...several('<a href="mailto:ada@acme.example">bea@acme.example</a>'),
	// None, or one that cannot be.
	...because('no @', 'n/a', '-', 'undefined', '#N/A', 'ada', 'mailto:ada', 'ada.acme.example'),
	...because('no @', 'ada [at] acme.example', 'ada(at)acme(dot)example'),
	...because('nothing before the @', '@acme.example', '@'),
	...because('nothing after the @', 'ada@', 'ada@acme.example@'),
	...because('two dots in a row', 'ada..hart@acme.example', 'ada@acme..example'),
	...because('a dot at the beginning or the end of its name', '.ada@acme.example'),
	...because('a dot at the beginning or the end of its name', 'ada.@acme.example'),
	...because('more than 254 characters', `ada@${'a.'.repeat(200)}example`),
	...because('more than 254 characters', `${'x'.repeat(10_240)}@acme.example`),
	...because('white space in it', 'ada@acme .example', 'ada @acme.example', '"ada l"@acme.example'),
	// One address twice, or with a word or a sign beside it that is no part of it.
	...[' / ', ';', '; ', ' | ', '\n', ' ', ', ', '/', '|', ' & '].flatMap((sign) =>
		read(`ada@acme.example${sign}ada@acme.example`, `ada@acme.example${sign}ADA@Acme.example`),
	),
	...read(
		'work: ada@acme.example, home: ada@acme.example',
		'ada@acme.example (or ada@acme.example)',
	),
	...read('✅ ada@acme.example', 'ada@acme.example verified', 'ada@acme.example [work]'),
	...read('ada@acme.example uk', 'ada@acme.example | +49 30 1234', 'ada@acme.example - Ada Hart'),
	...read('<p>ada@acme.example</p>', '<ada@acme.example'),
	// A word before it may be a part of it: that is no verdict.
	...['ada hart@acme.example', 'Ada ada.hart@acme.example', 'Ada Hart ada@acme.example'].map(
		beside,
	),
	...['{{ $json.first }}hart@acme.example', '[first]hart@acme.example'].map(beside),
	...['ada,hart@', 'ada;hart@', 'ada|hart@', 'ada. hart@', 'ada_ hart@', 'ada- hart@'].map((name) =>
		beside(`${name}acme.example`),
	),
	...because(onlyExamples('domain.com'), 'email_not_unlocked@domain.com'),
	...because(onlyExamples('company.com'), 'you@company.com', 'You <you@company.com>'),
	...because(onlyExamples('yourcompany.com'), 'name@yourcompany.com'),
	...because(onlyExamples('example.com'), 'ada@example.com', 'mailto:ada@example.com'),
	...because('masked or cut off', 'a***@acme.example', '***@acme.example', 'ada@acme.exam…'),
	...because('masked or cut off', 'Email: a•••@acme.example', 'ada@acme.ex***'),
	...because(HIDDEN, '[email protected]', '[email\u00a0protected]', 'Email: [email protected]'),
	...because(
		HIDDEN,
		'https://acme.example/cdn-cgi/l/email-protection#2b4a',
		'/cdn-cgi/l/email-protection',
	),
	...because(HIDDEN, '<a href="/cdn-cgi/l/email-protection#2b4a">[email&#160;protected]</a>'),
	...unusual('ada@[192.0.2.1]', 'ada@acme', 'ada@localhost', 'ada@acme_corp'),
	...unusual('ada(work)@acme.example', 'ada@acme,example', 'ada@acme;example'),
	...unusual('ada@bea@acme.example'),
	// Hosts that are none.
	...unusual('ada@10.0.0.12', 'ada@.acme.example', 'ada@-acme.example', 'ada@acme.c'),
	// Joiners shape scripts, and are in no address.
	...unusual('a\u200cda@acme.example', 'ada@ac\u200dme.example'),
];
