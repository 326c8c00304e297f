import { writeFile } from 'node:fs/promises';

/** The measured values at one point in time. */
export interface Sample {
	/** The time since the start of the night, in seconds. */
	seconds: number;
	/** The memory of each process in megabytes, by the name of the process. */
	values: Record<string, number>;
}

/** An event during a night, which the chart marks. */
export interface NightEvent {
	/** The time since the start of the night, in seconds. */
	seconds: number;
	description: string;
}

const WIDTH = 900;
const HEIGHT = 360;
const LEFT_MARGIN = 60;
const TOP_MARGIN = 90;
const BOTTOM_MARGIN = 40;
const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#17becf'];

/** Returns the name of the process without ", runner", so that the lines of a process and of its task runner get the same color. */
const getProcessName = (name: string) => name.replace(/, runner$/, '');

/** Writes a line chart as an SVG file: the memory of each process over time, with a labelled mark for each event. */
export async function writeChart(file: string, title: string, samples: Sample[], events: NightEvent[]) {
	const lineNames = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
	const processNames = [...new Set(lineNames.map(getProcessName))];
	const maxValue = Math.max(1, ...samples.flatMap(({ values }) => Object.values(values)));
	const endSeconds = Math.max(1, ...samples.map(({ seconds }) => seconds));
	const calculateX = (seconds: number) =>
		Math.round(LEFT_MARGIN + (seconds / endSeconds) * (WIDTH - LEFT_MARGIN - 120));
	const calculateY = (value: number) =>
		Math.round(HEIGHT - BOTTOM_MARGIN - (value / maxValue) * (HEIGHT - BOTTOM_MARGIN - TOP_MARGIN));
	const buildTextElement = (left: number, top: number, content: string, color = '#333') =>
		`<text x="${left}" y="${top}" fill="${color}">${content}</text>`;
	const lines = lineNames.map((name, index) => {
		const color = COLORS[processNames.indexOf(getProcessName(name)) % COLORS.length];
		const dashes = getProcessName(name) === name ? '' : ' stroke-dasharray="2 3"';
		const points = samples.flatMap(({ seconds, values }) => {
			const value = values[name];
			return value === undefined ? [] : [`${calculateX(seconds)},${calculateY(value)}`];
		});
		const line = `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dashes} points="${points.join(' ')}"/>`;
		return line + buildTextElement(WIDTH - 110, TOP_MARGIN + index * 16, name, color);
	});
	const marks = events.map(({ seconds, description }, index) => {
		// In the right half of the chart, the label is to the left of the mark, where there is more room.
		const [anchor, offset] = seconds > endSeconds / 2 ? ['end', -3] : ['start', 3];
		const top = 28 + (index % 3) * 14;
		const label = buildTextElement(calculateX(seconds) + offset, top + 10, description, '#777');
		const mark = `<path d="M${calculateX(seconds)} ${top}V${HEIGHT - BOTTOM_MARGIN}" stroke="#999" stroke-dasharray="3 3"/>`;
		return `${mark}<g text-anchor="${anchor}">${label}</g>`;
	});
	const fractions = [0, 0.25, 0.5, 0.75, 1];
	const axes = fractions.flatMap((fraction) => [
		buildTextElement(4, calculateY(fraction * maxValue) + 4, `${Math.round(fraction * maxValue)} MB`),
		buildTextElement(
			calculateX(fraction * endSeconds) - 10,
			HEIGHT - 20,
			`${((fraction * endSeconds) / 60).toFixed(1)} min`,
		),
	]);
	const frame = `<path d="M${LEFT_MARGIN} ${TOP_MARGIN}V${HEIGHT - BOTTOM_MARGIN}H${calculateX(endSeconds)}" fill="none" stroke="#333"/>`;
	const openingTag = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`;
	const content = [buildTextElement(LEFT_MARGIN, 20, title), frame, ...axes, ...marks, ...lines].join('\n');
	await writeFile(file, `${openingTag}\n<rect width="100%" height="100%" fill="#fff"/>\n${content}\n</svg>\n`);
}
