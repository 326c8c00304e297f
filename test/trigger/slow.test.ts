/** A service that is slow: one request after the other, 2 s each. The clock is turned, so that it takes no time. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import { ActiveTrigger, createCampaignTrigger, getIds } from './pollingFixture';

useSimulatedClock();

const LISTS = 40;
const PAGES = 10;
const PAGE_SIZE = 2;
const PACE_MS = 4000;
const BUDGET_MS = 300_000;

const company = (index: number) => ({ companyResourceId: `company-${index}`, companyName: `Company ${index}` });

/** A service with companies whose campaigns all are of the last hour. */
class SlowService {
	readonly clients = { reseller: { clientId: 'client', clientSecret: 'secret-of-it' } };
	url = '';
	records: IDataObject[] = [];
	paceMs = 0;
	requests = 0;
	private busyUntil = 0;
	private readonly server = createServer((request, response) => void this.answer(request, response));

	async start(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		const address = this.server.address();
		this.url = typeof address === 'object' ? `http://127.0.0.1:${requireValue(address).port}` : '';
	}

	close(): void {
		this.server.close().closeAllConnections();
	}

	/** As many records for each company as fill the pages. */
	fill(word: string): string[] {
		const createTime = new Date(Date.now()).toISOString();
		const ids: string[] = [];
		for (let index = 0; index < LISTS; index++)
			for (let each = 0; each < PAGES * PAGE_SIZE; each++) {
				const resourceId = `${word}-${index}-${each}`;
				ids.push(resourceId);
				this.records.unshift({ resourceId, name: resourceId, status: 'Running', createTime, of: `company-${index}` });
			}
		return ids;
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = '';
		for await (const chunk of request) text += String(chunk);
		const send = (body: unknown) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		};
		if (request.url?.endsWith('/connect/token')) return send({ access_token: 'token', expires_in: 3600 });
		const { pageNumber, pageSize } = JSON.parse(text) as { pageNumber: number; pageSize: number };
		const page = (all: IDataObject[]) => ({
			status: 'SUCCESS',
			data: {
				results: all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
				totalNumberOfRecords: all.length,
				totalNumberOfPages: Math.ceil(all.length / pageSize),
			},
		});
		if (request.url?.includes('/companies/'))
			return send(page(Array.from({ length: LISTS }, (_, index) => company(index))));
		this.requests++;
		const id = request.headers['x-service-company-id'];
		this.busyUntil = Math.max(this.busyUntil, Date.now()) + this.paceMs;
		setTimeout(() => send(page(this.records.filter((each) => each.of === id))), this.busyUntil - Date.now());
	}
}

let service: SlowService;
beforeEach(async () => {
	service = new SlowService();
	await service.start();
});
afterEach(() => service.close());

/** Polls until all new records are given. @returns how many whole lists each poll has given */
async function pollsUntilAll(parameters: IDataObject): Promise<number[]> {
	const options = { pageSize: PAGE_SIZE, askEachCompany: true, askEachEvery: 0, timeout: 300 };
	const trigger = new ActiveTrigger(
		createCampaignTrigger(),
		{ companyScope: 'every', options, ...parameters },
		service,
	);
	await trigger.poll();
	const wanted = service.fill('new');
	service.paceMs = PACE_MS;
	const polls: number[] = [];
	const given: string[] = [];
	while (given.length < wanted.length && polls.length < 40) {
		const from = Date.now();
		const ids = getIds(await trigger.poll());
		expect(Date.now() - from).toBeLessThanOrEqual(BUDGET_MS + PACE_MS);
		given.push(...ids);
		polls.push(ids.length / (PAGES * PAGE_SIZE));
	}
	expect(given.sort()).toEqual(wanted.sort());
	return polls;
}

// 300 s are 150 requests: seven lists of 20 pages at most. Eight at once would all be half read when the time is up.
test('each poll gets further, until all records are given, each once', async () => {
	const polls = await pollsUntilAll({ simulators: ['phishing'] });
	expect(Math.min(...polls)).toBeGreaterThanOrEqual(4);
	expect(polls.length).toBeLessThanOrEqual(7);
}, 120_000);
