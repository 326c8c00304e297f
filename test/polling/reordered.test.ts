/** Lists that cannot be sorted by when their records were created, or whose pages are not what they are counted as, through the triggers. */
import type { IDataObject } from 'n8n-workflow';
import { between, capped, orderOf, resultsOf, type Passing } from '../stand-in/between';
import { startService, type StandIn } from '../stand-in';
import { Active, campaignTrigger, DAY, enrollmentTrigger, PollingFixture, HOUR, idsOf } from './pollingFixture';

const JOBS = 'phishing-campaign-job-report/search';
const COMPANY = 0;

let service: StandIn;
let fixture: PollingFixture;
beforeAll(async () => {
	service = await startService({ companies: 2 });
	fixture = new PollingFixture(service);
});
const front = between(() => service);
beforeEach(() => {
	fixture.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

const scope = () => ({ companyScope: 'one', company: { __rl: true, mode: 'id', value: fixture.company(COMPANY).id } });
const jobs = (options: IDataObject = {}) =>
	new Active(campaignTrigger(), { simulators: ['phishing'], watch: 'jobs', ...scope(), options }, front.like);
/** A job whose name stands where the test wants it, however new it is. */
function create(name: string, late: number): string {
	const id = fixture.create('phishing', COMPANY, late);
	const made = service.state
		.of(fixture.company(COMPANY).id)
		.campaigns('phishing')
		.find(({ resourceId }) => resourceId === id);
	if (made) made.name = name;
	return id;
}

describe('jobs as a live deployment lists them: by name only, with createdDate', () => {
	beforeEach(() => {
		front.rules = {
			refuse: ({ path, body }: Passing) =>
				path.endsWith(JOBS) && body.orderBy === 'CreateTime' ? 'Invalid request' : undefined,
			change: (data, { path }) => {
				if (!path.endsWith(JOBS)) return data;
				const campaigns = service.state.of(fixture.company(COMPANY).id).campaigns('phishing');
				const created = (row: Record<string, unknown>) =>
					campaigns.find(({ resourceId }) => resourceId === row.resourceId)?.createTime;
				// A job starts when it is planned to; that is no create time.
				return {
					...data,
					results: resultsOf(data).map(({ sentTime: _sent, createTime: _created, ...row }) => ({
						...row,
						createdDate: created(row),
						startDate: '2001-01-01T00:00:00Z',
					})),
				};
			},
		};
	});

	test("'Emit Existing Since' gives all of them, the oldest first", async () => {
		const ids = [5, 4, 3, 2, 1].map((days) => create(`Name ${days}`, days * DAY));
		create('Old', 40 * DAY);
		const active = jobs({ emitExistingSince: new Date(fixture.now - 10 * DAY).toISOString() });
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test('new ones are found wherever they stand, on the last of many pages as well', async () => {
		// By chance the first pages are in order of time, which must not be taken for the order of the list.
		for (let index = 0; index < 12; index++) create(`B ${String(index).padStart(2, '0')}`, (100 + index) * DAY);
		const active = jobs({ pageSize: 3 });
		expect(await active.poll()).toBeNull();
		fixture.pass(HOUR);
		const found = [create('A first', 3), create('B 06 between', 2), create('Z last', 1)];
		expect(idsOf(await active.poll())).toEqual(found);
		expect(await active.poll()).toBeNull();
	});

	test('one refusal in a poll', async () => {
		for (let index = 0; index < 6; index++) create(`B ${index}`, DAY);
		await jobs({ pageSize: 2 }).poll();
		const [first, ...others] = front.asked.map((each) => orderOf(each).orderBy);
		expect([first, new Set(others)]).toEqual(['CreateTime', new Set(['Name'])]);
	});
});

test('pages capped at 50 but counted by more: all 60 are given', async () => {
	const ids = Array.from({ length: 60 }, (_, index) => fixture.create('enrollment', COMPANY, (60 - index) * HOUR));
	front.rules = capped('/api/enrollments/search', 50);
	const options = { emitExistingSince: new Date(fixture.now - 10 * DAY).toISOString(), pageSize: 100 };
	const active = new Active(enrollmentTrigger(), { ...scope(), options }, front.like);
	expect(idsOf(await active.poll())).toEqual(ids);
	expect(await active.poll()).toBeNull();
});

test('pages of more than 100 are refused: as many as it takes of the usual size', async () => {
	const ids = Array.from({ length: 130 }, (_, index) => fixture.create('enrollment', COMPANY, (200 - index) * HOUR));
	front.rules = {
		refuse: ({ path, body }) =>
			path.endsWith('/api/enrollments/search') && Number(body.pageSize) > 100 ? 'PageSize' : undefined,
	};
	const options = { emitExistingSince: new Date(fixture.now - 10 * DAY).toISOString() };
	const active = new Active(enrollmentTrigger(), { ...scope(), options }, front.like);
	expect(idsOf(await active.poll())).toEqual(ids);
	fixture.pass(HOUR);
	const later = fixture.create('enrollment', COMPANY, 0);
	expect(idsOf(await active.poll())).toEqual([later]);
	expect(await active.poll()).toBeNull();
});

test('totals on page 1 only: read once, and nothing is given twice', async () => {
	const ids = Array.from({ length: 7 }, (_, index) => fixture.create('enrollment', COMPANY, (60 - index) * HOUR));
	front.rules = {
		change: (data, { path, body }) => {
			if (!path.endsWith('/api/enrollments/search') || body.pageNumber === 1) return data;
			return { results: data.results };
		},
	};
	const options = { emitExistingSince: new Date(fixture.now - 10 * DAY).toISOString(), pageSize: 3 };
	const active = new Active(enrollmentTrigger(), { ...scope(), options }, front.like);
	expect(idsOf(await active.poll())).toEqual(ids);
	const searches = front.asked.filter(({ path }) => path.endsWith('/api/enrollments/search'));
	expect(searches.map(({ body }) => body.pageNumber).filter((page) => page === 1).length).toBeLessThanOrEqual(2);
	expect(await active.poll()).toBeNull();
});
