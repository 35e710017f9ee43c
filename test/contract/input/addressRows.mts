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
const asTheyAre = (...cells: string[]) => cells.map((cell): Row => [cell, as(cell)]);
const because = (reason: string, ...cells: string[]) =>
	cells.map((cell): Row => [cell, no(reason)]);
/** Only the service could say whether they are addresses. */
const unusual = (...cells: string[]) =>
	cells.map((cell): Row => [cell, as(cell), no('not of the usual form')]);

export const ROWS: Row[] = [
	...asTheyAre('ada@acme.example', "o'hara+news@acme.example", 'a+b@x.y.zz', 'who?@acme.example'),
	...asTheyAre('ada@müller.example', 'zoë@müller.de', 'a@उदाहरण.परीक्षा', 'ada@xn--mller-kva.de'),
	...asTheyAre('nemo-notfound@acme.example', 'notfound@acme.example', 'no.reply@acme.example'),
	// Signs that registries take between letters.
	...asTheyAre('info@paral·lel.cat', 'info@ア・イ.jp', 'Ada.Hart@Mail.Acme.CO.UK'),
	[' Ada@Acme.example ', as('Ada@Acme.example')],
	['mailto: Ada@Acme.example ?subject=x', as('Ada@Acme.example')],
	['o’hara@acme.example', as("o'hara@acme.example")],
	['ada\\_hart@acme.example', as('ada_hart@acme.example')],
	// Links of mail programs, web pages, chats, Markdown and sheets.
	...read('mailto:ada@acme.example', 'mailto:mailto:ada@acme.example', 'mailto://ada@acme.example'),
	...read('mailto:Ada <ada@acme.example>', 'mailto:ada@acme.example?cc=bea@acme.example'),
	...read('ada@acme.example?subject=Hello', 'mailto:?to=ada@acme.example'),
	...read('<mailto:ada@acme.example|ada@acme.example>', '[Ada](mailto:ada@acme.example)'),
	...read('[ada@acme.example](mailto:ada@acme.example)', 'SMTP:ada@acme.example'),
	...read('<a href="mailto:ada@acme.example">ada@acme.example</a>', '<p>ada@acme.example</p>'),
	...read("<a class=x href='mailto:ada@acme.example?subject=x'>Write to me</a>"),
	...read('=HYPERLINK("mailto:ada@acme.example","Ada")', 'ada@acme.example<br>'),
	...read('%20ada@acme.example', 'ada@acme.example%0A', 'ada%40acme.example'),
	// Labels, names and notes.
	...read('Email: ada@acme.example', 'E-Mail:ada@acme.example', 'mail ada@acme.example'),
	...read(
		'email=ada@acme.example',
		'1. ada@acme.example',
		'- ada@acme.example',
		'•\tada@acme.example',
	),
	...read('Ada Hart <ada@acme.example>', '"Hart, Ada" <ada@acme.example>', 'Ada ada@acme.example'),
	...read('Ada Hart ada@acme.example', 'ada@acme.example (work)', 'ada@acme.example - work'),
	...read(
		'ada@acme.example | +49 30 123',
		'ada@acme.example @adahart',
		'x mailto:ada@acme.example',
	),
	...read(
		'Ada Hart\\nada@acme.example',
		'ada@acme.example, ADA@acme.example',
		'ada@acme.example, logo@2x.png',
	),
	// Quotes of any sort, brackets, and what is behind an address in a sentence.
	...['""', "''", '“”', '„“', '«»', '‹›', '‘’', '``', '()', '<>', '[]', '{}', '**'].flatMap(
		(pair) => read(`${pair[0]}ada@acme.example${pair[1]}`),
	),
	...read('**ada@acme.example**', "'ada@acme.example", '<ada@acme.example', '["ada@acme.example"]'),
	...[';', ',', '.', ')', '>', ':', '/', ' ;', '!', '\\n'].flatMap((sign) =>
		read(`ada@acme.example${sign}`),
	),
	// Other letters for the same.
	...read(
		'\u200bada@acme\u00ad.example',
		'ａｄａ＠ａｃｍｅ．ｅｘａｍｐｌｅ',
		'ada&#64;acme.example',
	),
	...read('ada [at] acme.example', 'ada(at)acme(dot)example'),
	// Two of them.
	...several('ada@acme.example, bea@acme.example', 'ada@acme.example; bea@acme.example'),
	...several('ada@acme.example bea@acme.example', 'ada@acme.example/bea@acme.example'),
	...several('Ada <ada@acme.example>, Bea <bea@acme.example>', 'ada@acme.example\nbea@acme'),
	...several('mailto:ada@acme.example,bea@acme.example'),
	...several('<a href="mailto:ada@acme.example">bea@acme.example</a>'),
	// None, or one that cannot be.
	...because('no @', 'n/a', '-', 'undefined', '#N/A', 'ada', 'mailto:ada', 'ada.acme.example'),
	...because('nothing before the @', '@acme.example', '@'),
	...because('nothing after the @', 'ada@', 'ada@acme.example@'),
	...because('two dots in a row', 'ada..hart@acme.example', 'ada@acme..example'),
	...because('a dot at the beginning or the end of its name', '.ada@acme.example'),
	...because('a dot at the beginning or the end of its name', 'ada.@acme.example'),
	...because('more than 64 characters before the @', `${'a'.repeat(65)}@acme.example`),
	...because('more than 254 characters', `ada@${'a.'.repeat(200)}example`),
	...because('more than 254 characters', `${'x'.repeat(10_240)}@acme.example`),
	...because('white space in it', 'ada hart@acme.example', 'ada@acme .example'),
	...because(
		'white space in it',
		'ada@acme.example uk',
		'ada @acme.example',
		'ada . hart@acme.example',
	),
	...because('more than one @', 'ada@bea@acme.example'),
	...because('the name of a file', 'logo@2x.png', 'photo@3x.JPG', 'icon@2x.svg'),
	...because(
		'a placeholder of another tool',
		'email_not_unlocked@domain.com',
		'noemail@acme.example',
	),
	...because('a placeholder of another tool', 'you@company.com', 'ada@acme.example.invalid'),
	...because(
		'masked or cut off',
		'a***@acme.example',
		'***@acme.example',
		'Email: a•••@acme.example',
	),
	...because('masked or cut off', 'ada@acme.exam…', 'ada@acme.ex***'),
	...because('a word is glued to its end', 'ada@acme.exampleCopy', 'ada@acme.comPhone: 1'),
	...because('a value is missing in it', 'undefined@acme.example', 'undefined.hart@acme.example'),
	...because('a value is missing in it', '{{ $json.first }}hart@acme.example'),
	...because('a value is missing in it', '[object Object]@acme.example'),
	...unusual('"ada l"@acme.example', 'ada@[192.0.2.1]', 'ada@acme', 'ada@localhost'),
	...unusual('ada@acme_corp', 'ada(work)@acme.example', '[first]hart@acme.example'),
	...unusual('ada@acme,example', 'ada@acme;example'),
	// Hosts that are none.
	...unusual('ada@10.0.0.12', 'ada@.acme.example', 'ada@-acme.example', 'ada@acme.c'),
	// Joiners shape scripts, and are in no address.
	...unusual('a\u200cda@acme.example', 'ada@ac\u200dme.example'),
];
