import chunk from 'lodash/chunk';
import { z } from 'zod';

import type { N8nClient } from '../../real-n8n/client';
import type { Servers } from '../queue/servers';
import { buildReport, REPORTS } from './reports';

/** The data tables of the example, with the columns that its workflow creates. */
const COLUMNS = {
	'Night Parts': ['night', 'part:number', 'state', 'sentAt:number', 'takenBy', 'problem', 'companies'],
	'Night Reports': ['night', 'part:number', 'companyResourceId', 'companyName', 'report', 'file', 'bytes:number'],
};
type TableName = keyof typeof COLUMNS;

const statesSchema = z.array(z.object({ state: z.string(), count: z.number(), problem: z.string().nullable() }));
const lines = z.array(
	z.object({ companyResourceId: z.string(), report: z.string(), file: z.string(), bytes: z.number() }),
);
export type ManifestLine = z.output<typeof lines>[number];

interface FillOptions {
	night: string;
	partSize: number;
	isFilled: boolean;
}

/** The plan and the manifest, in n8n's database. */
export class NightTables {
	private constructor(
		private readonly servers: Servers,
		private readonly parts: string,
		private readonly reports: string,
	) {}

	/** Creates both, empty. */
	static async create(client: N8nClient, servers: Servers): Promise<NightTables> {
		const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const create = async (name: TableName) => {
			const columns = COLUMNS[name].map((each) => {
				const [column = '', type = 'string'] = each.split(':');
				return { name: column, type };
			});
			const path = `/rest/projects/${project}/data-tables`;
			const { id } = await client.request<{ id: string }>('POST', path, { name, columns });
			return `"data_table_user_${id}"`;
		};
		return new NightTables(servers, await create('Night Parts'), await create('Night Reports'));
	}

	async readLines(): Promise<ManifestLine[]> {
		return lines.parse(
			await this.servers.query(`SELECT "companyResourceId", report, file, bytes FROM ${this.reports}`),
		);
	}

	/** How many parts are in each state, with the problem that one of them has. */
	async readStates(): Promise<z.output<typeof statesSchema>> {
		const wanted = `SELECT state, count(*)::int AS count, max(problem) AS problem FROM ${this.parts} GROUP BY state`;
		return statesSchema.parse(await this.servers.query(wanted));
	}

	/** Whether there is a plan, and all of it is done. */
	async isDone(): Promise<boolean> {
		const all = await this.readStates();
		return all.length > 0 && all.every(({ state }) => state === 'done');
	}

	/** When nothing was done yet. */
	async clear(): Promise<void> {
		await this.servers.run(`DELETE FROM ${this.parts}; DELETE FROM ${this.reports}`);
	}

	/**
	 * Writes the plan for the companies and, if it is to be filled, two thirds of its lines: of every sixth part none, of
	 * each other third one half. @returns the lines
	 */
	async fill(companies: string[], { night, partSize, isFilled }: FillOptions): Promise<ManifestLine[]> {
		const filled: ManifestLine[] = [];
		const parts = chunk(companies, partSize).map((ids, index) => {
			const part = index + 1;
			const named = ids.map((companyResourceId) => ({ companyResourceId, companyName: `Of part ${part}` }));
			const isThere = (at: number) => isFilled && part % 6 !== 0 && (part % 3 !== 1 || at % 2 === 0);
			const there = ids.flatMap((companyResourceId) =>
				REPORTS.map((report) => ({
					companyResourceId,
					report,
					file: `${night} ${companyResourceId} ${report}.csv`,
					bytes: buildReport(report, companyResourceId).length,
				})),
			);
			const readLines = there.filter((_, at) => isThere(at));
			filled.push(...readLines);
			const rows = readLines.map((line) => `('${night}', ${part}, '${Object.values(line).join("', '")}')`);
			const state = readLines.length === there.length ? 'done' : 'open';
			return [
				`INSERT INTO ${this.parts} (night, part, state, "sentAt", companies) VALUES ('${night}', ${part}, '${state}', 0, '${JSON.stringify(named)}');`,
				...(rows.length > 0
					? [
							`INSERT INTO ${this.reports} (night, part, "companyResourceId", report, file, bytes) VALUES ${rows.join()};`,
						]
					: []),
			].join('\n');
		});
		await this.servers.run(parts.join('\n'));
		return filled;
	}
}
