/** The records that the check of example 19 works with, and functions that read a pack. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { unzipSync } from 'fflate';

import { SIMULATORS } from '../../stand-in/profile';
import type { Company } from '../../stand-in/seed';
import { sortForComparison, type ExampleContext } from './registerCheck';

export const DAY_MS = 86_400_000;
export const toIsoDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The indexes of customers whose records differ from those of the others. */
const WITH_LEAVER = 4;
const WITH_RECENT_RECORDS_ONLY = 6;
const WITHOUT_REPORTERS = 8;
const WITH_OLD_RECORDS_ONLY = 9;

/** Returns how many days ago a record began: in the period, in the period before, or before both. */
function getAge(customerIndex: number, isRecent: boolean): number {
	if (customerIndex === WITH_OLD_RECORDS_ONLY) return 900;
	if (isRecent || customerIndex === WITH_RECENT_RECORDS_ONLY) return 100;
	return 500;
}

/**
 * Gives each customer trainings and simulations of all kinds in the period, and a training and simulations in the period before it. One
 * customer only has records of the period, and another one only has older records.
 */
export function prepareEvidence({ world }: ExampleContext['service'], customers: Company[]): void {
	for (const [customerIndex, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		for (const [index, enrollment] of companyData.enrollments.entries()) {
			const startTime = Date.now() - getAge(customerIndex, index !== 2) * DAY_MS;
			// In n8n's time zone, this time is in the evening of the previous day.
			const dueDate = `${toIsoDate(startTime + 30 * DAY_MS)}T02:00:00.000Z`;
			Object.assign(enrollment, {
				startDate: new Date(startTime).toISOString(),
				dueDate,
				awardCertificate: index === 0,
			});
		}
		for (const simulator of SIMULATORS)
			for (const [index, campaign] of companyData.getCampaigns(simulator).entries())
				campaign.createTime = new Date(Date.now() - (getAge(customerIndex, index === 0) - 10) * DAY_MS).toISOString();
		const [, leaver] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
		if (customerIndex === WITH_LEAVER && leaver) world.addNote(leaver.resourceId, { isActive: false });
		if (customerIndex === WITHOUT_REPORTERS) companyData.reporters = [];
	}
}

/** The texts of the files in a pack, by file name. */
export type Pack = Record<string, string>;

/** Reads the files in a customer's evidence pack. @returns an empty object if there is no pack */
export async function readPack(folder: string, { companyResourceId: id }: Company): Promise<Pack> {
	const file = (await readdir(folder)).find((name) => name.includes(`-${id.slice(0, 8)}-`));
	if (!file) return {};
	const entries = Object.entries(unzipSync(await readFile(join(folder, file))));
	return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

/** Parses the rows of a CSV without its header. All cells must be in quotation marks. */
export const parseCsvRows = (csv = ''): string[][] =>
	csv
		.replace('\ufeff', '')
		.trimEnd()
		.split('\r\n')
		.slice(1)
		.map((line) =>
			line
				.slice(1, -1)
				.split('","')
				.map((cell) => cell.replaceAll('""', '"')),
		);

/** Returns true if the hashes in SHA256SUMS.txt don't match the other files of a pack. */
export const hasWrongHashes = (pack: Pack): boolean => {
	const { 'SHA256SUMS.txt': hashList = '', ...files } = pack;
	const hashes = Object.entries(files).map(
		([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}`,
	);
	return sortForComparison(hashes).join() !== sortForComparison(hashList.trimEnd().split('\n')).join();
};

/** Removes the tags of an HTML text, and replaces the codes of signs by the signs. */
const toPlainText = (html: string): string =>
	html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&#(\d+);/g, (_code, number: string) => String.fromCodePoint(Number(number)))
		.replace(/\s+/g, ' ')
		.trim();

/** Reads the cells of the rows below a heading of a page, as plain texts, without the header of the table. */
export function readHtmlRows(html = '', heading = ''): string[][] {
	const [, section = ''] = html.split(`<h2>${heading}</h2>`);
	const [body = ''] = section.split('<h2>');
	const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
	return rows
		.filter((row) => row.includes('<td'))
		.map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => toPlainText(cell)));
}

/** Reads the title, the value and the note of each tile of the summary. */
export const readTiles = (html = ''): string[][] =>
	[...html.matchAll(/<div class="tile">(.*?)<\/div><\/div>/gs)].map(([, tile = '']) =>
		tile.split('</div>').map(toPlainText),
	);
