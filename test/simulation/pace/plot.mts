/** One point of each curve. */
export interface Curves {
	readonly processes: number;
	readonly leastShare: number;
	readonly mostShare: number;
	readonly over: number;
	readonly refused: number;
	readonly spread: number;
	readonly longestMs: number;
	readonly settleS: number;
}

interface Line {
	readonly of: (point: Curves) => number;
	readonly name: string;
}

interface Panel {
	readonly title: string;
	readonly lines: readonly Line[];
	readonly ticks: readonly number[];
	readonly show: (value: number) => string;
}

const PANELS: readonly Panel[] = [
	{
		title: 'Shares, over an equal one',
		lines: [
			{ of: ({ mostShare }) => mostShare, name: 'largest' },
			{ of: ({ leastShare }) => leastShare, name: 'least' },
		],
		ticks: [0, 0.5, 1, 1.5, 2],
		show: String,
	},
	{
		title: 'Requests refused',
		lines: [{ of: ({ refused }) => refused * 100, name: '' }],
		ticks: [0, 20, 40, 60],
		show: (value) => `${value} %`,
	},
	{
		title: 'Time over what the limit allows, and last end over first',
		lines: [
			{ of: ({ spread }) => spread, name: 'last end' },
			{ of: ({ over }) => over, name: 'time' },
		],
		ticks: [1, 1.25, 1.5, 1.75, 2],
		show: String,
	},
	{
		title: 'Seconds until a newcomer has its share',
		lines: [{ of: ({ settleS }) => settleS, name: '' }],
		ticks: [0, 50, 100, 150],
		show: String,
	},
];

const WIDTH = 400;
const HEIGHT = 240;
const LEFT = 48;
const RIGHT = 64;
const TOP = 36;
const BOTTOM = 36;
const COLORS = ['#d1495b', '#2e7d9a'];

/** Four curves over the number of processes, readable on a light and on a dark page. */
export function plot(points: readonly Curves[]): string {
	const panels = PANELS.map((panel, index) => {
		const [x, y] = [(index % 2) * WIDTH, Math.floor(index / 2) * HEIGHT];
		return `<g transform="translate(${x} ${y})">\n${drawPanel(panel, points)}\n</g>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${2 * HEIGHT}" font-family="sans-serif" font-size="11" fill="#777">
${panels.join('\n')}
</svg>
`;
}

function drawPanel({ title, lines, ticks, show }: Panel, points: readonly Curves[]): string {
	const values = lines.flatMap(({ of }) => points.map(of));
	const [low = 0] = ticks;
	const high = Math.max(...ticks, ...values);
	const most = Math.max(...points.map(({ processes }) => processes));
	const x = (processes: number) =>
		round(LEFT + (Math.log2(processes) / Math.log2(most)) * (WIDTH - LEFT - RIGHT));
	const y = (value: number) =>
		round(HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM));
	const text = (at: readonly [number, number], anchor: string, words: string, more = '') =>
		`<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}"${more}>${words}</text>`;

	const grid = ticks.map(
		(tick) =>
			`<path d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}" stroke="#999" stroke-opacity="0.35"/>${text([LEFT - 6, y(tick) + 4], 'end', show(tick))}`,
	);
	const axis = points
		.filter(({ processes }) => Number.isInteger(Math.log2(processes)))
		.map(({ processes }) =>
			text([x(processes), HEIGHT - BOTTOM + 16], 'middle', String(processes)),
		);
	const curves = lines.map(({ of, name }, index) => {
		const path = points.map((point) => `${x(point.processes)} ${y(of(point))}`).join('L');
		const last = points.at(-1);
		const label =
			last === undefined || name === ''
				? ''
				: text([x(last.processes) + 6, y(of(last)) + 4], 'start', name);
		return `<path d="M${path}" fill="none" stroke="${COLORS[index]}" stroke-width="2"/>${label}`;
	});
	const heading = text([LEFT, TOP - 16], 'start', title, ' font-size="13" font-weight="bold"');
	const unit = text([WIDTH - RIGHT, HEIGHT - BOTTOM + 30], 'end', 'processes');
	return [heading, ...grid, ...axis, unit, ...curves].join('\n');
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
