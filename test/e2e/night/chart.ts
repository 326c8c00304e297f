import { writeFile } from 'node:fs/promises';

export interface Sample {
	/** Seconds from the beginning. */
	at: number;
	values: Record<string, number>;
}

const WIDTH = 900;
const HEIGHT = 360;
const LEFT = 60;
const TOP = 90;
const BOTTOM = 40;
const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#17becf'];

/** What a process is called without its runner, whose line has its colour. */
const getProcessName = (name: string) => name.replace(/, runner$/, '');

/** Draws each value over the time as a line, and a mark with its text for each event. */
export async function drawChart(
	file: string,
	title: string,
	samples: Sample[],
	events: Array<{ at: number; what: string }>,
) {
	const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
	const processes = [...new Set(names.map(getProcessName))];
	const maximum = Math.max(1, ...samples.flatMap(({ values }) => Object.values(values)));
	const end = Math.max(1, ...samples.map(({ at }) => at));
	const toX = (at: number) => Math.round(LEFT + (at / end) * (WIDTH - LEFT - 120));
	const toY = (value: number) => Math.round(HEIGHT - BOTTOM - (value / maximum) * (HEIGHT - BOTTOM - TOP));
	const drawText = (left: number, top: number, content: string, color = '#333') =>
		`<text x="${left}" y="${top}" fill="${color}">${content}</text>`;
	const lines = names.map((name, index) => {
		const color = COLORS[processes.indexOf(getProcessName(name)) % COLORS.length];
		const dashes = getProcessName(name) === name ? '' : ' stroke-dasharray="2 3"';
		const points = samples.flatMap(({ at, values }) => {
			const value = values[name];
			return value === undefined ? [] : [`${toX(at)},${toY(value)}`];
		});
		const line = `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dashes} points="${points.join(' ')}"/>`;
		return line + drawText(WIDTH - 110, TOP + index * 16, name, color);
	});
	const marks = events.map(({ at, what }, index) => {
		// On the side where there is more room.
		const [anchor, away] = at > end / 2 ? ['end', -3] : ['start', 3];
		const top = 28 + (index % 3) * 14;
		const label = drawText(toX(at) + away, top + 10, what, '#777');
		const mark = `<path d="M${toX(at)} ${top}V${HEIGHT - BOTTOM}" stroke="#999" stroke-dasharray="3 3"/>`;
		return `${mark}<g text-anchor="${anchor}">${label}</g>`;
	});
	const steps = [0, 0.25, 0.5, 0.75, 1];
	const axes = steps.flatMap((part) => [
		drawText(4, toY(part * maximum) + 4, `${Math.round(part * maximum)} MB`),
		drawText(toX(part * end) - 10, HEIGHT - 20, `${((part * end) / 60).toFixed(1)} min`),
	]);
	const frame = `<path d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${toX(end)}" fill="none" stroke="#333"/>`;
	const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`;
	const content = [drawText(LEFT, 20, title), frame, ...axes, ...marks, ...lines].join('\n');
	await writeFile(file, `${open}\n<rect width="100%" height="100%" fill="#fff"/>\n${content}\n</svg>\n`);
}
