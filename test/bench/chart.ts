import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = join(__dirname, '..', '..', 'docs', '.images', 'performance.svg');
const WIDTH = 890;
const LABELS = 330;
const BAR = 18;
const GAP = 6;
const COLOURS = ['#2f6fdf', '#9aa4b2', '#d9b25f', '#e6cf9a'];

interface Group {
	title: string;
	bars: Array<{ label: string; seconds: number }>;
}

const escaped = (words: string) => words.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Writes docs/.images/performance.svg: for each case a bar for each way, as long as its time; each case has its own scale. */
export async function writeChart(groups: Group[]): Promise<void> {
	const parts: string[] = [];
	let y = 10;
	const text = (x: number, words: string, more = '') => `<text x="${x}" y="${y + 13}"${more}>${escaped(words)}</text>`;
	for (const { title, bars } of groups) {
		parts.push(text(10, title, ' font-weight="600"'));
		y += BAR + GAP;
		const longest = Math.max(...bars.map(({ seconds }) => seconds));
		for (const [index, { label, seconds }] of bars.entries()) {
			const width = Math.max(2, Math.round((seconds / longest) * (WIDTH - LABELS - 80)));
			parts.push(
				text(10, label),
				`<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR}" rx="3" fill="${COLOURS[index] ?? '#9aa4b2'}"/>`,
				text(LABELS + width + 8, `${seconds.toFixed(2)} s`),
			);
			y += BAR + GAP;
		}
		y += GAP * 2;
	}
	const style = 'font-family="system-ui, sans-serif" font-size="13" fill="#333"';
	const background = `<rect width="${WIDTH}" height="${y}" fill="#fff"/>`;
	const svg = [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" ${style}>`,
		background,
		...parts,
		'</svg>',
	];
	await writeFile(FILE, `${svg.join('\n')}\n`);
}
