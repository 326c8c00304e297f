import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ITaskData } from 'n8n-workflow';
import { isEqual, sortBy } from 'lodash';
import readSheet from 'read-excel-file/node';

import type { State } from '../stand-in';
import { itemsOf, type Execution } from './client';
import { Problem } from './problem';
import type { Received } from './inbox';

interface Company {
	companyResourceId: string;
	companyName: string;
}

/** The items of the nodes in examples/demo.json that are looked at here. */
interface Items {
	Settings: { word: string };
	'List All Companies': Company;
	'Keep Three of Them': Company;
	'Summary per Company': { company: string; file: string; bytes: number };
	'Read the Group Back': { resourceId: string; name: string; participants: Company[] };
}

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

/**
 * Prints what the workflow of examples/demo.json produced.
 * @throws Problem when it failed, or when something is missing from what it should have produced
 */
export async function report(execution: Execution, folder: string, companies: State['companies']): Promise<void> {
	succeeded(execution);
	const jsonOf = <Node extends keyof Items>(node: Node) =>
		itemsOf(execution, node).map(({ json }) => json as unknown as Items[Node]);
	const wrong: string[] = [];
	const expect = (isRight: boolean, sentence: string) => {
		if (!isRight) wrong.push(sentence);
	};

	const { length: there } = companies;
	const listed = jsonOf('List All Companies').length;
	console.log(`\nThe workflow produced:\n\n  Companies listed: ${listed}`);
	expect(listed === there, `${listed} companies were listed, but the service has ${there}.`);

	const files = (await readdir(folder)).sort();
	console.log(`\n  Files in ${folder}`);
	for (const file of files) console.log(`    ${file}  ${size((await stat(join(folder, file))).size)}`);

	const sheets = files.filter((file) => file.endsWith('.xlsx'));
	expect(sheets.length === 1, `There should be one .xlsx file; there are ${sheets.length}.`);
	for (const file of sheets) {
		// The first row holds the names of the columns.
		const rows = await countRows(join(folder, file));
		console.log(
			`\n  Rows in ${file}, read with a spreadsheet library: ${rows}; companies that the service has: ${there}`,
		);
		expect(rows === there, `${file} has ${rows} rows, but the service has ${there} companies.`);
	}

	const summary = jsonOf('Summary per Company');
	console.log('\n  Leaderboards, one file for each company whose name contains the word');
	for (const { company, file, bytes } of summary) console.log(`    ${company}: ${file}, ${size(bytes)}`);
	const csvFiles = files.filter((file) => file.endsWith('.csv')).length;
	const word = jsonOf('Settings')[0]?.word ?? '';
	const bakeries = companies.filter(({ companyName }) => companyName?.includes(word)).length;
	expect(
		summary.length === bakeries,
		`${summary.length} leaderboards were exported; ${bakeries} names contain "${word}".`,
	);
	expect(csvFiles === summary.length, `There are ${summary.length} summaries, but ${csvFiles} .csv files.`);

	const group = jsonOf('Read the Group Back')[0];
	const members = group?.participants ?? [];
	console.log(`\n  The company group, read back\n    ${group?.name}, ID ${group?.resourceId}, with`);
	for (const { companyName, companyResourceId } of members)
		console.log(`    - ${companyName}, ID ${companyResourceId}`);
	const chosen = jsonOf('Keep Three of Them').map(({ companyResourceId }) => companyResourceId);
	const readBack = members.map(({ companyResourceId }) => companyResourceId);
	expect(
		isEqual(sortBy(chosen), sortBy(readBack)),
		`The group should have ${chosen.join(', ')}; it has ${readBack.join(', ') || 'none'}.`,
	);

	if (wrong.length > 0)
		throw new Problem(`The workflow ran, but not everything is as it should be:\n${wrong.join('\n')}`);
}

async function countRows(file: string): Promise<number> {
	const sheets = await readSheet(file);
	return sheets.reduce((rows, { data }) => rows + data.length - 1, 0);
}

/** Prints what an example sent to others. */
export function reportReceived({ method, path, body }: Received): void {
	if (body !== undefined) console.log(`\n  ${method} to ${path.slice(1)}\n    ${JSON.stringify(body).slice(0, 1000)}`);
}

/** Prints what any of the examples produced: items of each node's first output, and files. @throws Problem when it failed */
export async function reportExample(execution: Execution, folder: string): Promise<void> {
	const items = ([name, runs]: [string, ITaskData[]]) =>
		`    ${name}: ${runs.reduce((sum, { data }) => sum + (data?.main?.[0]?.length ?? 0), 0)}`;
	console.log(
		['\nItems that came out of each node', ...Object.entries(succeeded(execution).runData).map(items)].join('\n'),
	);

	const files = (await readdir(folder)).sort();
	if (files.length > 0) console.log(`\n  Files in ${folder}: ${files.length}, such as`);
	for (const file of files.slice(0, 5)) console.log(`    ${file}  ${size((await stat(join(folder, file))).size)}`);
}
