import chunk from 'lodash/chunk';
import { z } from 'zod';

import type { N8nClient } from '../../real-n8n/client';
import type { Servers } from '../queue/servers';
import { buildReport, REPORT_NAMES } from './reports';

/** The columns of the example's data tables, as its workflow creates them. A type follows the colon; the default is string. */
const COLUMNS = {
	'Night Parts': ['night', 'part:number', 'state', 'sentAt:number', 'takenBy', 'problem', 'companies'],
	'Night Reports': ['night', 'part:number', 'companyResourceId', 'companyName', 'report', 'file', 'bytes:number'],
};
type TableName = keyof typeof COLUMNS;

const statesSchema = z.array(z.object({ state: z.string(), count: z.number(), problem: z.string().nullable() }));
const linesSchema = z.array(
	z.object({ companyResourceId: z.string(), report: z.string(), file: z.string(), bytes: z.number() }),
);
/** A line of the manifest: a report that was saved. */
export type ManifestLine = z.output<typeof linesSchema>[number];

interface FillOptions {
	night: string;
	partSize: number;
	/** True to fill two thirds of the manifest. False writes the plan only. */
	withLines: boolean;
}

/** Reads and writes the two data tables of the example in n8n's database: the plan with its parts, and the manifest with its lines. */
export class NightTables {
	private constructor(
		private readonly servers: Servers,
		private readonly parts: string,
		private readonly reports: string,
	) {}

	/** Creates both tables without rows. */
	static async create(client: N8nClient, servers: Servers): Promise<NightTables> {
		const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const createTable = async (name: TableName) => {
			const columns = COLUMNS[name].map((definition) => {
				const [column = '', type = 'string'] = definition.split(':');
				return { name: column, type };
			});
			const path = `/rest/projects/${project}/data-tables`;
			const { id } = await client.request<{ id: string }>('POST', path, { name, columns });
			return `"data_table_user_${id}"`;
		};
		return new NightTables(servers, await createTable('Night Parts'), await createTable('Night Reports'));
	}

	async readLines(): Promise<ManifestLine[]> {
		return linesSchema.parse(
			await this.servers.query(`SELECT "companyResourceId", report, file, bytes FROM ${this.reports}`),
		);
	}

	/** Returns the number of parts in each state, with the problem of one of them. */
	async readStates(): Promise<z.output<typeof statesSchema>> {
		const sql = `SELECT state, count(*)::int AS count, max(problem) AS problem FROM ${this.parts} GROUP BY state`;
		return statesSchema.parse(await this.servers.query(sql));
	}

	/** Returns true if there is a plan and all of its parts are done. */
	async isDone(): Promise<boolean> {
		const states = await this.readStates();
		return states.length > 0 && states.every(({ state }) => state === 'done');
	}

	/** Deletes all rows of both tables. */
	async clear(): Promise<void> {
		await this.servers.run(`DELETE FROM ${this.parts}; DELETE FROM ${this.reports}`);
	}

	/**
	 * Writes the plan for the companies and, with `withLines`, two thirds of the manifest's lines. Every sixth part gets no lines, and
	 * in each group of three parts, the first one gets every second line.
	 * @returns the lines
	 */
	async fill(companies: string[], { night, partSize, withLines }: FillOptions): Promise<ManifestLine[]> {
		const writtenLines: ManifestLine[] = [];
		const statements = chunk(companies, partSize).map((ids, index) => {
			const part = index + 1;
			const companiesOfPart = ids.map((companyResourceId) => ({ companyResourceId, companyName: `Of part ${part}` }));
			const shouldWrite = (lineIndex: number) => withLines && part % 6 !== 0 && (part % 3 !== 1 || lineIndex % 2 === 0);
			const allLines = ids.flatMap((companyResourceId) =>
				REPORT_NAMES.map((report) => ({
					companyResourceId,
					report,
					file: `${night} ${companyResourceId} ${report}.csv`,
					bytes: buildReport(report, companyResourceId).length,
				})),
			);
			const lines = allLines.filter((_, lineIndex) => shouldWrite(lineIndex));
			writtenLines.push(...lines);
			const state = lines.length === allLines.length ? 'done' : 'open';
			const planRow = `('${night}', ${part}, '${state}', 0, '${JSON.stringify(companiesOfPart)}')`;
			const insertPlan = `INSERT INTO ${this.parts} (night, part, state, "sentAt", companies) VALUES ${planRow};`;
			if (lines.length === 0) return insertPlan;
			const rows = lines.map((line) => `('${night}', ${part}, '${Object.values(line).join("', '")}')`);
			return `${insertPlan}\nINSERT INTO ${this.reports} (night, part, "companyResourceId", report, file, bytes) VALUES ${rows.join()};`;
		});
		await this.servers.run(statements.join('\n'));
		return writtenLines;
	}
}
