/**
 * Tests polls of a slow platform. The platform handles one request at a time, and each request takes 4 s. The date is
 * simulated, so that the tests are fast.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { advanceDate, useSimulatedDate, useSimulatedTimeouts } from '../setup/testClock';
import { ActiveTrigger, createCampaignTrigger, getIds } from './pollingFixture';

useSimulatedDate();

const COMPANY_COUNT = 40;
const PAGES_PER_COMPANY = 10;
const PAGE_SIZE = 2;
const RECORDS_PER_COMPANY = PAGES_PER_COMPANY * PAGE_SIZE;
const REQUEST_DURATION_MS = 4000;
const TIME_LIMIT_MS = 300_000;

const ALL_COMPANY_IDS = Array.from({ length: COMPANY_COUNT }, (_, index) => `company-${index}`);

/** A slow platform with companies whose campaigns were created in the last hour. */
class SlowPlatform {
	readonly clients = { reseller: { clientId: 'client', clientSecret: 'secret-of-it' } };
	url = '';
	records: IDataObject[] = [];
	/** The time in ms that the platform needs for a request for campaigns. */
	requestDurationMs = 0;
	/** The ID of the company for whose campaigns the platform returns status 500. */
	failingCompanyId: string | undefined;
	/** The companies whose campaigns were requested, in this order. */
	requestedCompanyIds: unknown[] = [];
	private readonly server = createServer((request, response) => {
		this.respond(request, response).catch(() => response.destroy());
	});

	async start(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		const address = this.server.address();
		this.url = typeof address === 'object' ? `http://127.0.0.1:${requireValue(address).port}` : '';
	}

	close(): void {
		this.server.close().closeAllConnections();
	}

	/**
	 * Adds RECORDS_PER_COMPANY records to each company. Returns the IDs of the new records, which start with `idPrefix`.
	 */
	addRecords(idPrefix: string): string[] {
		const createTime = new Date(Date.now()).toISOString();
		const ids: string[] = [];
		for (let companyIndex = 0; companyIndex < COMPANY_COUNT; companyIndex++)
			for (let recordIndex = 0; recordIndex < RECORDS_PER_COMPANY; recordIndex++) {
				const resourceId = `${idPrefix}-${companyIndex}-${recordIndex}`;
				ids.push(resourceId);
				this.records.unshift({
					resourceId,
					name: resourceId,
					status: 'Running',
					createTime,
					ownerId: `company-${companyIndex}`,
				});
			}
		return ids;
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let bodyText = '';
		for await (const chunk of request) bodyText += String(chunk);
		const sendJson = (body: unknown) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		};
		if (request.url?.endsWith('/connect/token')) return sendJson({ access_token: 'token', expires_in: 3600 });
		const { pageNumber, pageSize } = JSON.parse(bodyText) as { pageNumber: number; pageSize: number };
		const createPage = (rows: IDataObject[]) => ({
			status: 'SUCCESS',
			data: {
				results: rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
				totalNumberOfRecords: rows.length,
				totalNumberOfPages: Math.ceil(rows.length / pageSize),
			},
		});
		if (request.url?.includes('/companies/')) {
			const companies = ALL_COMPANY_IDS.map((id) => ({ companyResourceId: id, companyName: `Customer ${id}` }));
			return sendJson(createPage(companies));
		}
		const requestedCompanyId = request.headers['x-service-company-id'];
		this.requestedCompanyIds.push(requestedCompanyId);
		advanceDate(this.requestDurationMs);
		if (requestedCompanyId === this.failingCompanyId) response.statusCode = 500;
		sendJson(createPage(this.records.filter((record) => record.ownerId === requestedCompanyId)));
	}
}

let platform: SlowPlatform;
beforeEach(async () => {
	platform = new SlowPlatform();
	await platform.start();
});
afterEach(() => platform.close());

/** Creates a trigger that reads the campaigns of each company in each poll. */
const createTrigger = (parameters: IDataObject, options: IDataObject = {}) => {
	const allOptions = { pageSize: PAGE_SIZE, readEachCompany: true, readEachCompanyEvery: 0, timeout: 300, ...options };
	return new ActiveTrigger(
		createCampaignTrigger(),
		{ companyScope: 'every', options: allOptions, ...parameters },
		platform,
	);
};

/**
 * Adds new records to each company, and polls until all are emitted. Returns, for each poll, the number of company
 * lists whose records it emitted.
 */
async function pollUntilAllEmitted(parameters: IDataObject): Promise<number[]> {
	const trigger = createTrigger(parameters);
	await trigger.poll();
	const newIds = platform.addRecords('new');
	platform.requestDurationMs = REQUEST_DURATION_MS;
	const listsPerPoll: number[] = [];
	const emittedIds: string[] = [];
	while (emittedIds.length < newIds.length && listsPerPoll.length < 40) {
		const startTime = Date.now();
		const ids = getIds(await trigger.poll());
		expect(Date.now() - startTime).toBeLessThanOrEqual(TIME_LIMIT_MS + REQUEST_DURATION_MS);
		emittedIds.push(...ids);
		listsPerPoll.push(ids.length / RECORDS_PER_COMPANY);
	}
	expect(emittedIds.sort()).toEqual(newIds.sort());
	return listsPerPoll;
}

// In the 300 s of a poll, the platform handles 75 requests, which is enough for seven lists of ten pages. If the
// trigger read eight lists at the same time, none of them might be complete when the time limit is reached.
test('each poll makes progress until every record is emitted once', async () => {
	useSimulatedTimeouts();
	const listsPerPoll = await pollUntilAllEmitted({ simulators: ['phishing'] });
	expect(Math.min(...listsPerPoll)).toBeGreaterThanOrEqual(4);
	expect(listsPerPoll.length).toBeLessThanOrEqual(7);
}, 120_000);

test('the companies for which there was no time are read first in the next poll, before a company that failed', async () => {
	useSimulatedTimeouts();
	const trigger = createTrigger({ simulators: ['phishing'] }, { pageSize: 100, concurrency: 1 });
	await trigger.poll();
	platform.addRecords('new');
	platform.requestDurationMs = 10_000;
	platform.failingCompanyId = 'company-0';
	const items = (await trigger.poll()) ?? [];
	const readCompanyIds = new Set(items.map(({ companyResourceId }) => companyResourceId));
	const unreachedCompanyIds = ALL_COMPANY_IDS.slice(1).filter((id) => !readCompanyIds.has(id));
	expect(unreachedCompanyIds.length).toBeGreaterThan(5);
	platform.requestedCompanyIds = [];
	await trigger.poll();
	expect(uniq(platform.requestedCompanyIds).slice(0, unreachedCompanyIds.length + 1)).toEqual([
		...unreachedCompanyIds,
		'company-0',
	]);
});
