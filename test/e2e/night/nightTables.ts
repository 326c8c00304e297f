import chunk from 'lodash/chunk';
import { z } from 'zod';

import type { N8nClient } from '../../real-n8n/client';
import type { Servers } from '../queue/servers';
import { buildReport, REPORT_NAMES } from './reports';

/** The columns of the data tables that example 22 creates. A column is a string unless another type follows the colon. */
const COLUMNS_BY_TABLE = {
	'Night Parts': ['night', 'part:number', 'state', 'sentAt:number', 'takenBy', 'problem', 'companies'],
	'Night Reports': ['night', 'part:number', 'companyResourceId', 'companyName', 'report', 'file', 'bytes:number'],
};
type TableName = keyof typeof COLUMNS_BY_TABLE;

const statesSchema = z.array(z.object({ state: z.string(), count: z.number(), problem: z.string().nullable() }));
const linesSchema = z.array(
	z.object({ companyResourceId: z.string(), report: z.string(), file: z.string(), bytes: z.number() }),
);
/** A line of the manifest, which lists the saved reports. */
export type ManifestLine = z.output<typeof linesSchema>[number];

interface FillOptions {
	/** The date of the night, such as 2026-01-31. */
	nightDate: string;
	partSize: number;
	/** True writes the plan and two thirds of the manifest. False only writes the plan. */
	shouldWriteLines: boolean;
}

/**
 * Reads and writes the two data tables of example 22 in n8n's database: the plan, with a row per part, and the manifest, with a row
 * per report.
 */
export class NightTables {
	private constructor(
		private readonly servers: Servers,
		private readonly parts: string,
		private readonly reports: string,
	) {}

	/** Creates both tables without rows. */
	static async create(client: N8nClient, servers: Servers): Promise<NightTables> {
		const { id: projectId } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const createTable = async (name: TableName) => {
			const columns = COLUMNS_BY_TABLE[name].map((definition) => {
				const [column = '', type = 'string'] = definition.split(':');
				return { name: column, type };
			});
			const path = `/rest/projects/${projectId}/data-tables`;
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

	/** Returns the number of parts in each state, and one problem text of these parts. */
	async readStates(): Promise<z.output<typeof statesSchema>> {
		const sql = `SELECT state, count(*)::int AS count, max(problem) AS problem FROM ${this.parts} GROUP BY state`;
		return statesSchema.parse(await this.servers.query(sql));
	}

	/** Returns true if the plan has been written and all of its parts are done. */
	async isDone(): Promise<boolean> {
		const states = await this.readStates();
		return states.length > 0 && states.every(({ state }) => state === 'done');
	}

	/** Deletes all rows of both tables. */
	async clear(): Promise<void> {
		await this.servers.runSql(`DELETE FROM ${this.parts}; DELETE FROM ${this.reports}`);
	}

	/**
	 * Writes the plan for the companies and, with `shouldWriteLines`, two thirds of the manifest's lines. Every sixth part gets no lines, and
	 * in each group of three parts, the first one gets every second line.
	 * @returns the written lines
	 */
	async fill(companyIds: string[], { nightDate, partSize, shouldWriteLines }: FillOptions): Promise<ManifestLine[]> {
		const writtenLines: ManifestLine[] = [];
		const statements = chunk(companyIds, partSize).map((ids, index) => {
			const part = index + 1;
			const companiesOfPart = ids.map((companyResourceId) => ({ companyResourceId, companyName: `Of part ${part}` }));
			const shouldWriteLine = (lineIndex: number) =>
				shouldWriteLines && part % 6 !== 0 && (part % 3 !== 1 || lineIndex % 2 === 0);
			const allLines = ids.flatMap((companyResourceId) =>
				REPORT_NAMES.map((report) => ({
					companyResourceId,
					report,
					file: `${nightDate} ${companyResourceId} ${report}.csv`,
					bytes: buildReport(report, companyResourceId).length,
				})),
			);
			const lines = allLines.filter((_, lineIndex) => shouldWriteLine(lineIndex));
			writtenLines.push(...lines);
			const state = lines.length === allLines.length ? 'done' : 'open';
			const planRow = `('${nightDate}', ${part}, '${state}', 0, '${JSON.stringify(companiesOfPart)}')`;
			const insertPlan = `INSERT INTO ${this.parts} (night, part, state, "sentAt", companies) VALUES ${planRow};`;
			if (lines.length === 0) return insertPlan;
			const rows = lines.map((line) => `('${nightDate}', ${part}, '${Object.values(line).join("', '")}')`);
			return `${insertPlan}\nINSERT INTO ${this.reports} (night, part, "companyResourceId", report, file, bytes) VALUES ${rows.join()};`;
		});
		await this.servers.runSql(statements.join('\n'));
		return writtenLines;
	}
}
