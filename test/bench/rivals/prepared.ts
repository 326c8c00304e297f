/** The reference for memory: a node that only outputs the records, which it reads from files. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { NodeConnectionTypes, type INodeExecutionData, type INodeType } from 'n8n-workflow';
import { z } from 'zod';

import type { Rival } from '../case';
import type { Stage } from '../stage';
import { askPage } from './companies';

const records = z.array(z.custom<INodeExecutionData['json']>((value) => typeof value === 'object'));
const folderOf = ({ folder }: Stage) => join(folder, 'pages');

/** Reads the same pages as this package from files, one after the other, and only outputs them. */
const nodeFor = (folder: string, pages: number): INodeType => ({
	description: {
		...{ displayName: 'Prepared', name: 'prepared', group: ['input'], version: 1, description: '' },
		...{
			defaults: { name: 'Prepared' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
	},
	execute: async () => {
		const items: INodeExecutionData[] = [];
		for (const file of (await readdir(folder)).sort().slice(0, pages)) {
			const page = records.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
			for (const json of page) items.push({ json, pairedItem: { item: 0 } });
		}
		return [items];
	},
});

export const prepared = (pageSize: number): Rival => ({
	title: 'the same records from files',
	prepare: async (stage, size) => {
		// Every process of a rival has the same folder.
		await mkdir(folderOf(stage), { recursive: true });
		for (let pageNumber = 1; pageNumber <= size; pageNumber++) {
			const { results } = await askPage(stage, { pageNumber, pageSize });
			await writeFile(join(folderOf(stage), `${String(pageNumber).padStart(6, '0')}.json`), JSON.stringify(results));
		}
	},
	run: async (stage, size) => {
		stage.define('bench.prepared', nodeFor(folderOf(stage), size));
		const items = await stage.run([{ name: 'Prepared', type: 'bench.prepared', parameters: {} }]);
		return { records: items.length, kept: items };
	},
});
