import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isEqual, sortBy } from 'lodash';
import readSheet from 'read-excel-file/node';
import { z } from 'zod';

import type { State } from '../stand-in';
import { itemsOf, type Execution } from './client';
import { Problem } from './problem';
import type { Received } from './inbox';

/** The run itself. @throws Problem with what n8n says of it, unless it succeeded */
export function succeeded(execution: Execution): Execution {
	if (execution.status === 'success') return execution;
	const { message, description, node } = execution.error ?? { message: 'n8n gives no reason.' };
	const at = node ? ` at the node "${node}"` : '';
	throw new Problem(
		`The workflow failed${at} (${execution.status}): ${message}${description ? `\n${description}` : ''}`,
	);
}

const size = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`);

/** Prints what an example sent to others. */
export function reportReceived({ method, path, body }: Received): void {
	if (body !== undefined) console.log(`\n  ${method} to ${path.slice(1)}\n    ${JSON.stringify(body).slice(0, 1000)}`);
}

/** Prints what a workflow produced: items of each node's first output, and files. @throws Problem when it failed */
export async function report(execution: Execution, folder: string): Promise<void> {
	console.log('\nItems that came out of each node');
	for (const name of Object.keys(succeeded(execution).runData))
		console.log(`    ${name}: ${itemsOf(execution, name).length}`);
	const files = (await readdir(folder)).sort();
	if (files.length > 0) console.log(`\n  Files in ${folder}: ${files.length}, such as`);
	for (const file of files.slice(0, 10)) console.log(`    ${file}  ${size((await stat(join(folder, file))).size)}`);
}

const companies = z.array(z.object({ companyResourceId: z.string() }));
const settings = z.object({ word: z.string() });
const group = z.object({ participants: companies });

/** What is wrong with what examples/demo.json produced. @throws Problem with a sentence for each */
export async function checkDemo(execution: Execution, folder: string, there: State['companies']): Promise<void> {
	const jsonOf = (node: string) => itemsOf(execution, node).map(({ json }) => json);
	const idsOf = (list: unknown) => sortBy(companies.parse(list).map(({ companyResourceId }) => companyResourceId));
	const files = await readdir(folder);
	const [sheet = ''] = files.filter((file) => file.endsWith('.xlsx'));
	const sheets = sheet === '' ? [] : await readSheet(join(folder, sheet));
	// The first row holds the names of the columns.
	const rows = sheets.reduce((sum, { data }) => sum + data.length - 1, 0);
	const { word } = settings.parse(jsonOf('Settings')[0]);
	const named = there.filter(({ companyName }) => companyName?.includes(word)).length;
	const [listed, exported] = [jsonOf('List All Companies').length, jsonOf('Summary per Company').length];
	const csvFiles = files.filter((file) => file.endsWith('.csv')).length;
	const members = idsOf(group.parse(jsonOf('Read the Group Back')[0]).participants);
	const wrong = [
		listed === there.length ? '' : `${listed} companies were listed, but the service has ${there.length}.`,
		rows === there.length ? '' : `${sheet} has ${rows} rows, but the service has ${there.length} companies.`,
		exported === named ? '' : `${exported} leaderboards were exported; ${named} names contain "${word}".`,
		csvFiles === exported ? '' : `There are ${exported} summaries, but ${csvFiles} .csv files.`,
		isEqual(members, idsOf(jsonOf('Keep Three of Them'))) ? '' : `The group has other members: ${members.join(', ')}.`,
	].filter(Boolean);
	if (wrong.length > 0) throw new Problem(`Not everything is as it should be:\n${wrong.join('\n')}`);
	console.log(`\n  ${listed} companies, as many rows in ${sheet}, ${csvFiles} leaderboards; the group was read back.`);
}
