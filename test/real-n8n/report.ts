import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isEqual, sortBy } from 'lodash';
import readSheet from 'read-excel-file/node';
import { z } from 'zod';

import type { World } from '../stand-in';
import { getNodeItems, type Execution } from './client';
import { Problem } from './problem';
import type { ReceivedRequest } from './inbox';

/** Returns the execution if it succeeded. @throws Problem with n8n's error message otherwise */
export function assertSucceeded(execution: Execution): Execution {
	if (execution.status === 'success') return execution;
	const { message, description, node } = execution.error ?? { message: 'n8n gives no reason.' };
	const location = node ? ` at the node "${node}"` : '';
	throw new Problem(
		`The workflow failed${location} (${execution.status}): ${message}${description ? `\n${description}` : ''}`,
	);
}

const formatSize = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`);

/** Prints a request that an example sent to another system. */
export function printRequest({ method, path, body }: ReceivedRequest): void {
	if (body !== undefined) console.log(`\n  ${method} to ${path.slice(1)}\n    ${JSON.stringify(body).slice(0, 1000)}`);
}

/** Prints how many items came out of each node's first output, and the files in the folder. @throws Problem if the workflow failed */
export async function printReport(execution: Execution, folder: string): Promise<void> {
	console.log('\nItems that came out of each node');
	for (const name of Object.keys(assertSucceeded(execution).runData))
		console.log(`    ${name}: ${getNodeItems(execution, name).length}`);
	const files = (await readdir(folder)).sort();
	if (files.length > 0) console.log(`\n  Files in ${folder}: ${files.length}, such as`);
	for (const file of files.slice(0, 10))
		console.log(`    ${file}  ${formatSize((await stat(join(folder, file))).size)}`);
}

const companiesSchema = z.array(z.object({ companyResourceId: z.string() }));
const groupSchema = z.object({ members: companiesSchema });

/** Checks the output of examples/demo.json and prints a summary. @throws Problem with a sentence for each mistake */
export async function checkDemo(
	execution: Execution,
	folder: string,
	expectedCompanies: World['companies'],
): Promise<void> {
	const getJson = (node: string) => getNodeItems(execution, node).map(({ json }) => json);
	const getSortedIds = (list: unknown) =>
		sortBy(companiesSchema.parse(list).map(({ companyResourceId }) => companyResourceId));
	const filePromises = ['Who Clicked', 'Who Finished'].map(async (node) => {
		const file = `${node.toLowerCase().replace(' ', '-')}.xlsx`;
		const sheets = await readSheet(join(folder, file));
		// The first row has the column names.
		return { file, rows: sheets.reduce((sum, { data }) => sum + data.length - 1, 0), people: getJson(node).length };
	});
	const tableFiles = await Promise.all(filePromises);
	const companyCount = getJson('List All Companies').length;
	const members = getSortedIds(groupSchema.parse(getJson('Read the Group Back')[0]).members);
	const problems = [
		companyCount === expectedCompanies.length
			? ''
			: `${companyCount} companies were listed, but the service has ${expectedCompanies.length}.`,
		...tableFiles.map(({ file, rows, people }) =>
			rows === people && people > 0 ? '' : `${file} has ${rows} rows, and ${people} people were found.`,
		),
		isEqual(members, getSortedIds(getJson('Keep Three of Them')))
			? ''
			: `The group has other members: ${members.join(', ')}.`,
	].filter(Boolean);
	if (problems.length > 0) throw new Problem(`Not everything is as it should be:\n${problems.join('\n')}`);
	const peopleInFiles = tableFiles.map(({ file, rows }) => `${rows} people in ${file}`).join(', ');
	console.log(`\n  ${peopleInFiles}; ${companyCount} companies, and the group of three was read back.`);
}
