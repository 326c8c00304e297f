/** A trigger on a platform of trees, for tests of one decision. */
import type { IDataObject } from 'n8n-workflow';
import { parseMemory } from '../../nodes/core/trigger/state';
import { startStandIn } from '../stand-in';
import { ActiveTrigger, createCampaignTrigger, HOUR, PollingFixture } from './pollingFixture';
import { TreePlatform, type TreePlatformTraits, type TreeRecord } from './treePlatform';

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
export function setUpTreeFixture(begin: (fixture: PollingFixture) => void, companies = PARENTS.length): void {
	let fixture: PollingFixture;
	beforeAll(async () => {
		fixture = new PollingFixture(await startStandIn({ companyCount: companies }));
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
export class TriggerScenario {
	readonly platform: TreePlatform;
	readonly trigger: ActiveTrigger;
	private lastItems: IDataObject[] = [];

	/** What the last poll gave. */
	get emittedItems(): IDataObject[] {
		return this.lastItems;
	}

	constructor(
		readonly fixture: PollingFixture,
		platform: Partial<TreePlatformTraits> = {},
		parameters: IDataObject = {},
		options: IDataObject = { askEachCompany: true },
	) {
		const all: TreePlatformTraits = {
			parents: PARENTS,
			listsIncludeDescendants: true,
			firstFlatChild: 1,
			selectedCompanies: undefined,
			globalLists: { phishing: 'all', smishing: 'all' },
			...platform,
		};
		this.platform = new TreePlatform(fixture, all, ROUTES);
		const filter = all.selectedCompanies ? { onlyCompanies: { nameContains: 'in' } } : {};
		const own = { simulators: ['phishing'], companyScope: 'every', ...filter, ...parameters };
		this.trigger = new ActiveTrigger(createCampaignTrigger(), { ...own, options: { askEachEvery: 0, ...options } }, fixture.service);
	}

	createRecord(owner: number | null, hoursAgo = 0, list = 'phishing'): TreeRecord {
		const id = `record-${this.platform.records.length + 1}`;
		const made = { id, list, owner, status: 'Running', created: this.fixture.now - hoursAgo * HOUR };
		this.platform.records.push(made);
		return made;
	}

	async poll(): Promise<void> {
		this.platform.setFaults();
		this.trigger.log.length = 0;
		this.lastItems = (await this.trigger.poll()) ?? [];
	}

	/** What became of a record in the last poll. */
	getDecision({ id, owner }: TreeRecord): string {
		const item = this.lastItems.find(({ resourceId }) => resourceId === id);
		if (item?.companyResourceId === null) return 'given without a company';
		if (item && owner !== null && item.companyResourceId === this.platform.getCompanyId(owner)) return "given as its company's";
		if (item) return `given as ${String(item.companyResourceId)}'s`;
		const state = parseMemory(this.trigger.storedMemory)?.kinds.phishingCampaign;
		if (state?.waiting.has(id)) return 'waiting';
		return state?.seen.has(id) ? 'remembered' : 'nothing';
	}
}
