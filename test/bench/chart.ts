/** Pictures as SVG text that can be read on a light page and on a dark one. */

const FONT = 'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"';
const STYLE = `<style>
	text { fill: #1f2328; font-size: 13px } .soft { fill: #59636e; font-size: 12px } .title { font-weight: 600 }
	.grid { stroke: #d1d9e0 } .axis, .range { stroke: #59636e } .limit { stroke: #b35900; stroke-dasharray: 6 4 } .limit-text { fill: #b35900; font-size: 12px }
	.ours { fill: #0969da } .other { fill: #a3acb5 } .line { fill: none; stroke-width: 2 } .line-ours { stroke: #0969da } .line-other { stroke: #8c959f }
	.second { stroke-dasharray: 3 3 }
	@media (prefers-color-scheme: dark) {
		text { fill: #e6edf3 } .soft { fill: #9da7b1 } .grid { stroke: #30363d } .axis, .range { stroke: #9da7b1 }
		.limit { stroke: #e09b4a } .limit-text { fill: #e09b4a } .ours { fill: #58a6ff } .other { fill: #6e7681 } .line-ours { stroke: #58a6ff } .line-other { stroke: #8b949e }
	}
</style>`;

const escape = (text: string) =>
	text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
const round = (value: number) => Math.round(value * 10) / 10;

function picture(width: number, height: number, label: string, content: string[]): string {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(label)}" ${FONT}>`;
	return `${[open, STYLE, ...content, '</svg>'].join('\n')}\n`;
}

export interface Bar {
	title: string;
	value: number;
	low: number;
	high: number;
	/** Beside the bar. */
	text: string;
	isOurs: boolean;
}

/** Bars under headings, each heading with a scale of its own. */
export function barChart(label: string, groups: Array<{ title: string; bars: Bar[] }>): string {
	const [width, left, right, step] = [860, 250, 170, 26];
	const content: string[] = [];
	let y = 24;
	for (const { title, bars } of groups) {
		content.push(`<text class="title" x="10" y="${y}">${escape(title)}</text>`);
		const most = Math.max(...bars.map(({ high }) => high));
		const x = (value: number) => round(left + (value / most) * (width - left - right));
		for (const { title: name, value, low, high, text, isOurs } of bars) {
			y += step;
			content.push(
				`<text x="${left - 10}" y="${y}" text-anchor="end">${escape(name)}</text>`,
				`<rect class="${isOurs ? 'ours' : 'other'}" x="${left}" y="${y - 13}" width="${round(x(value) - left)}" height="17" rx="2"/>`,
				`<path class="range" d="M${x(low)} ${y - 4.5}H${x(high)}M${x(low)} ${y - 8}v7M${x(high)} ${y - 8}v7"/>`,
				`<text class="soft" x="${x(high) + 8}" y="${y}">${escape(text)}</text>`,
			);
		}
		y += 42;
	}
	return picture(width, y - 18, label, content);
}

export interface Line {
	title: string;
	points: Array<[x: number, y: number]>;
	isOurs: boolean;
	/** Dashed, where two lines are of one kind. */
	isSecond: boolean;
}

/** The next round number at which an axis can end, and its steps. */
function scale(most: number): { end: number; step: number } {
	const rough = Math.max(most, 1e-9) / 5;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
	return { end: Math.ceil(most / step) * step, step };
}

/** Lines over time with a limit across. */
export function lineChart(
	label: string,
	axes: { x: string; y: string },
	lines: Line[],
	limit: { value: number; text: string },
): string {
	const [width, height, left, right, top, bottom] = [860, 400, 64, 24, 24, 84];
	const horizontal = scale(Math.max(...lines.flatMap(({ points }) => points.map(([x]) => x))));
	const vertical = scale(Math.max(limit.value, ...lines.flatMap(({ points }) => points.map(([, y]) => y))) * 1.05);
	const x = (value: number) => round(left + (value / horizontal.end) * (width - left - right));
	const y = (value: number) => round(height - bottom - (Math.max(0, value) / vertical.end) * (height - top - bottom));
	const content: string[] = [];
	for (let value = 0; value <= vertical.end + 1e-9; value += vertical.step) {
		content.push(
			`<path class="grid" d="M${left} ${y(value)}H${width - right}"/>`,
			`<text class="soft" x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${round(value)}</text>`,
		);
	}
	for (let value = 0; value <= horizontal.end + 1e-9; value += horizontal.step)
		content.push(
			`<text class="soft" x="${x(value)}" y="${height - bottom + 18}" text-anchor="middle">${round(value)}</text>`,
		);
	content.push(
		`<path class="axis" d="M${left} ${height - bottom}H${width - right}"/>`,
		`<text class="soft" x="${width - right}" y="${height - bottom + 36}" text-anchor="end">${escape(axes.x)}</text>`,
		`<text class="soft" x="10" y="14">${escape(axes.y)}</text>`,
		`<path class="limit" d="M${left} ${y(limit.value)}H${width - right}"/>`,
		`<text class="limit-text" x="${width - right}" y="${y(limit.value) - 6}" text-anchor="end">${escape(limit.text)}</text>`,
	);
	lines.forEach(({ title, points, isOurs, isSecond }, index) => {
		const kind = `line ${isOurs ? 'line-ours' : 'line-other'}${isSecond ? ' second' : ''}`;
		const place = left + (index % 2) * 380;
		const below = height - bottom + 56 + Math.floor(index / 2) * 20;
		content.push(
			`<polyline class="${kind}" points="${points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ')}"/>`,
			`<path class="${kind}" d="M${place} ${below - 4}h28"/>`,
			`<text x="${place + 36}" y="${below}">${escape(title)}</text>`,
		);
	});
	return picture(width, height, label, content);
}
