/** Draws the chart of docs/performance.md. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHART_FILE = join(__dirname, '..', '..', 'docs', '.images', 'performance.svg');
const CHART_WIDTH = 890;
const LABEL_WIDTH = 330;
const BAR_HEIGHT = 18;
const BAR_GAP = 6;
const BAR_COLORS = ['#2f6fdf', '#9aa4b2', '#d9b25f', '#e6cf9a'];

/** The bars of one case. */
interface BarGroup {
	title: string;
	bars: Array<{ label: string; seconds: number }>;
}

const escapeXml = (content: string) => content.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * Writes docs/.images/performance.svg. Each case has one bar for each implementation, whose length is proportional to the time.
 * Each case has its own scale.
 */
export async function writeChart(groups: BarGroup[]): Promise<void> {
	const svgElements: string[] = [];
	let nextY = 10;
	const buildText = (x: number, content: string, attributes = '') =>
		`<text x="${x}" y="${nextY + 13}"${attributes}>${escapeXml(content)}</text>`;
	for (const { title, bars } of groups) {
		svgElements.push(buildText(10, title, ' font-weight="600"'));
		nextY += BAR_HEIGHT + BAR_GAP;
		const longestSeconds = Math.max(...bars.map(({ seconds }) => seconds));
		for (const [index, { label, seconds }] of bars.entries()) {
			const width = Math.max(2, Math.round((seconds / longestSeconds) * (CHART_WIDTH - LABEL_WIDTH - 80)));
			svgElements.push(
				buildText(10, label),
				`<rect x="${LABEL_WIDTH}" y="${nextY}" width="${width}" height="${BAR_HEIGHT}" rx="3" fill="${BAR_COLORS[index] ?? '#9aa4b2'}"/>`,
				buildText(LABEL_WIDTH + width + 8, `${seconds.toFixed(2)} s`),
			);
			nextY += BAR_HEIGHT + BAR_GAP;
		}
		nextY += BAR_GAP * 2;
	}
	const style = 'font-family="system-ui, sans-serif" font-size="13" fill="#333"';
	const background = `<rect width="${CHART_WIDTH}" height="${nextY}" fill="#fff"/>`;
	const svg = [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CHART_WIDTH} ${nextY}" ${style}>`,
		background,
		...svgElements,
		'</svg>',
	];
	await writeFile(CHART_FILE, `${svg.join('\n')}\n`);
}
