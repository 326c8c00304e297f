/** Ways to distort the lists that a platform returns, so that records are missing from their pages. */
import type { IDataObject } from 'n8n-workflow';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import type { LoggedRequest } from '../stand-in';

/** The data of a response with a page of a list. */
export interface ListPage {
	results: IDataObject[];
	totalNumberOfRecords: number;
	totalNumberOfPages: number;
}

/**
 * Changes a page of a list before it is sent to the node.
 * @param page the platform's real first page, which has all records
 * @param pageNumber the number of the requested page, from 1
 */
export type Distortion = (page: ListPage, pageNumber: number) => unknown;

const extraRecords = [1, 2].map((number) => ({
	resourceId: `other${number}`,
	name: `Other ${number}`,
	email: 'o@x.example',
}));

/**
 * Changes the pages as if a record was added to the front of the list after page 1 was read. The last record of page 1 is then also on
 * page 2, and the new record is on neither page.
 */
export function shiftRecords({ results }: ListPage, pageNumber: number): ListPage {
	const records = [...results, ...extraRecords];
	const half = Math.ceil(records.length / 2);
	const isFirstPage = pageNumber === 1;
	return {
		results: isFirstPage ? records.slice(0, half) : records.slice(half - 1),
		totalNumberOfRecords: isFirstPage ? records.length : records.length + 1,
		totalNumberOfPages: 2,
	};
}

/** Each distortion of a list, with its description and the expected text of the error. */
export const DISTORTIONS: Array<[string, Distortion, string]> = [
	[
		'has a count of 500, but no records',
		(page) => ({ ...page, results: [], totalNumberOfRecords: 500, totalNumberOfPages: 5 }),
		'the platform counts 500 records that it does not list',
	],
	['has null as its results', (page) => ({ ...page, results: null }), 'the platform sent no list'],
	['is null', () => null, 'the platform sent no list'],
	[
		'has a record without an ID',
		(page) => ({
			results: [...page.results, { name: 'No ID', email: 'no-id@x.example' }],
			totalNumberOfRecords: page.results.length + 1,
			totalNumberOfPages: 1,
		}),
		'the platform sent 1 record without an ID',
	],
	['changes whenever it is read', shiftRecords, 'the list changed while the node read it'],
];

/**
 * Creates the function that distorts the pages of a list, for the stand-in's option `transformEnvelope`.
 * @param list the route of the list
 * @param times how many reads of the list are distorted; the default is all of them
 */
export function createDistortion(list: string, distortion: Distortion, times = Infinity) {
	// Each path has its own count, because the lists of several groups may be read at the same time.
	const readsByPath = new Map<string, { count: number; firstPage: ListPage }>();
	return (envelope: unknown, request: LoggedRequest) => {
		if (request.route !== list) return envelope;
		const response = envelope as { data: ListPage };
		const pageNumber = Number(parseBody(request).pageNumber);
		const { path } = request;
		if (pageNumber === 1)
			readsByPath.set(path, { count: (readsByPath.get(path)?.count ?? 0) + 1, firstPage: response.data });
		const { count, firstPage } = requireValue(readsByPath.get(path));
		return count > times ? envelope : { ...response, data: distortion(firstPage, pageNumber) };
	};
}
