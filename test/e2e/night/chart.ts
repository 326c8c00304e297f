import { writeFile } from 'node:fs/promises';

/** Values at one point in time, by name. */
export interface Sample {
	/** The time since the beginning, in seconds. */
	seconds: number;
	values: Record<string, number>;
}

/** An event to mark in the chart. */
export interface NightEvent {
	/** The time since the beginning, in seconds. */
	seconds: number;
	description: string;
}

const WIDTH = 900;
const HEIGHT = 360;
const LEFT_MARGIN = 60;
const TOP_MARGIN = 90;
const BOTTOM_MARGIN = 40;
const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#17becf'];

/** Returns the name of the process that a line belongs to. The lines of a process and of its task runner have the same color. */
const getProcessName = (name: string) => name.replace(/, runner$/, '');

/** Writes an SVG file with a line over time for each value, and a mark with a text for each event. Values are in megabytes. */
export async function drawChart(file: string, title: string, samples: Sample[], events: NightEvent[]) {
	const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
	const processes = [...new Set(names.map(getProcessName))];
	const maximum = Math.max(1, ...samples.flatMap(({ values }) => Object.values(values)));
	const end = Math.max(1, ...samples.map(({ seconds }) => seconds));
	const toX = (seconds: number) => Math.round(LEFT_MARGIN + (seconds / end) * (WIDTH - LEFT_MARGIN - 120));
	const toY = (value: number) =>
		Math.round(HEIGHT - BOTTOM_MARGIN - (value / maximum) * (HEIGHT - BOTTOM_MARGIN - TOP_MARGIN));
	const drawText = (left: number, top: number, content: string, color = '#333') =>
		`<text x="${left}" y="${top}" fill="${color}">${content}</text>`;
	const lines = names.map((name, index) => {
		const color = COLORS[processes.indexOf(getProcessName(name)) % COLORS.length];
		const dashes = getProcessName(name) === name ? '' : ' stroke-dasharray="2 3"';
		const points = samples.flatMap(({ seconds, values }) => {
			const value = values[name];
			return value === undefined ? [] : [`${toX(seconds)},${toY(value)}`];
		});
		const line = `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dashes} points="${points.join(' ')}"/>`;
		return line + drawText(WIDTH - 110, TOP_MARGIN + index * 16, name, color);
	});
	const marks = events.map(({ seconds, description }, index) => {
		// The text is on the side of the mark that has more room.
		const [anchor, offset] = seconds > end / 2 ? ['end', -3] : ['start', 3];
		const top = 28 + (index % 3) * 14;
		const label = drawText(toX(seconds) + offset, top + 10, description, '#777');
		const mark = `<path d="M${toX(seconds)} ${top}V${HEIGHT - BOTTOM_MARGIN}" stroke="#999" stroke-dasharray="3 3"/>`;
		return `${mark}<g text-anchor="${anchor}">${label}</g>`;
	});
	const steps = [0, 0.25, 0.5, 0.75, 1];
	const axes = steps.flatMap((fraction) => [
		drawText(4, toY(fraction * maximum) + 4, `${Math.round(fraction * maximum)} MB`),
		drawText(toX(fraction * end) - 10, HEIGHT - 20, `${((fraction * end) / 60).toFixed(1)} min`),
	]);
	const frame = `<path d="M${LEFT_MARGIN} ${TOP_MARGIN}V${HEIGHT - BOTTOM_MARGIN}H${toX(end)}" fill="none" stroke="#333"/>`;
	const openingTag = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`;
	const content = [drawText(LEFT_MARGIN, 20, title), frame, ...axes, ...marks, ...lines].join('\n');
	await writeFile(file, `${openingTag}\n<rect width="100%" height="100%" fill="#fff"/>\n${content}\n</svg>\n`);
}
