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
const group = z.object({ participants: companies });

/** What is wrong with what examples/demo.json produced. @throws Problem with a sentence for each */
export async function checkDemo(execution: Execution, folder: string, there: State['companies']): Promise<void> {
	const jsonOf = (node: string) => itemsOf(execution, node).map(({ json }) => json);
	const idsOf = (list: unknown) => sortBy(companies.parse(list).map(({ companyResourceId }) => companyResourceId));
	const tables = ['Who Clicked', 'Who Finished'].map(async (node) => {
		const file = `${node.toLowerCase().replace(' ', '-')}.xlsx`;
		const sheets = await readSheet(join(folder, file));
		// The first row holds the names of the columns.
		return { file, rows: sheets.reduce((sum, { data }) => sum + data.length - 1, 0), found: jsonOf(node).length };
	});
	const written = await Promise.all(tables);
	const listed = jsonOf('List All Companies').length;
	const members = idsOf(group.parse(jsonOf('Read the Group Back')[0]).participants);
	const wrong = [
		listed === there.length ? '' : `${listed} companies were listed, but the service has ${there.length}.`,
		...written.map(({ file, rows, found }) =>
			rows === found && found > 0 ? '' : `${file} has ${rows} rows, and ${found} people were found.`,
		),
		isEqual(members, idsOf(jsonOf('Keep Three of Them'))) ? '' : `The group has other members: ${members.join(', ')}.`,
	].filter(Boolean);
	if (wrong.length > 0) throw new Problem(`Not everything is as it should be:\n${wrong.join('\n')}`);
	const shown = written.map(({ file, rows }) => `${rows} people in ${file}`).join(', ');
	console.log(`\n  ${shown}; ${listed} companies, and the group of three was read back.`);
}
