/** A trigger on a platform of trees, for tests of one decision. */
import type { IDataObject } from 'n8n-workflow';
import { memoryOf } from '../../nodes/core/trigger/state';
import { startService } from '../stand-in';
import { Active, campaignTrigger, HOUR, PollingFixture } from './pollingFixture';
import { TreeWorld, type Platform, type TreeRecord } from './treeWorld';

export const ROUTES = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign/search',
	smishing: 'POST /api/smishing-simulator/smishing-campaign/search',
};
/** A parent, its child, the child's child, and two others. */
export const PARENTS = [null, 0, 1, null, null];

/**
 * Runs the tests of a file with a service of those companies and a clock of its own; pauses between tries take no time.
 * @param begin is given the fixture, once
 */
export function withTrees(begin: (fixture: PollingFixture) => void, companies = PARENTS.length): void {
	let fixture: PollingFixture;
	beforeAll(async () => {
		fixture = new PollingFixture(await startService({ companies }));
		begin(fixture);
	});
	beforeEach(() => {
		fixture.clear();
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => fixture.service.close());
}

/** A trigger that asks each company in every poll, unless told otherwise, and its platform. */
export class Case {
	readonly world: TreeWorld;
	readonly active: Active;
	private items: IDataObject[] = [];

	/** What the last poll gave. */
	get given(): IDataObject[] {
		return this.items;
	}

	constructor(
		readonly fixture: PollingFixture,
		platform: Partial<Platform> = {},
		parameters: IDataObject = {},
		options: IDataObject = { askEachCompany: true },
	) {
		const all: Platform = {
			parents: PARENTS,
			listsBelow: true,
			flat: 1,
			chosen: undefined,
			unscoped: { phishing: 'all', smishing: 'all' },
			...platform,
		};
		this.world = new TreeWorld(fixture, all, ROUTES);
		const filter = all.chosen ? { onlyCompanies: { nameContains: 'in' } } : {};
		const own = { simulators: ['phishing'], companyScope: 'every', ...filter, ...parameters };
		this.active = new Active(campaignTrigger(), { ...own, options: { askEachEvery: 0, ...options } }, fixture.service);
	}

	create(owner: number | null, hoursAgo = 0, list = 'phishing'): TreeRecord {
		const id = `record-${this.world.records.length + 1}`;
		const made = { id, list, owner, status: 'Running', created: this.fixture.now - hoursAgo * HOUR };
		this.world.records.push(made);
		return made;
	}

	async poll(): Promise<void> {
		this.world.setFaults();
		this.active.log.length = 0;
		this.items = (await this.active.poll()) ?? [];
	}

	/** What became of a record in the last poll. */
	fate({ id, owner }: TreeRecord): string {
		const item = this.items.find(({ resourceId }) => resourceId === id);
		if (item?.companyResourceId === null) return 'given without a company';
		if (item && owner !== null && item.companyResourceId === this.world.idOf(owner)) return "given as its company's";
		if (item) return `given as ${String(item.companyResourceId)}'s`;
		const state = memoryOf(this.active.remembered)?.kinds.phishingCampaign;
		if (state?.waiting.has(id)) return 'waiting';
		return state?.seen.has(id) ? 'remembered' : 'nothing';
	}
}
