/** A trigger that polls a platform with trees of companies, for tests of single decisions. */
import type { IDataObject } from 'n8n-workflow';
import { parseMemory } from '../../nodes/core/trigger/triggerMemory';
import { omitUndefined } from '../../nodes/core/values';
import { startStandIn } from '../stand-in';
import { ActiveTrigger, createCampaignTrigger, HOUR, PollingFixture } from './pollingFixture';
import { TreePlatform, type TreePlatformTraits, type TreeRecord } from './treePlatform';

export const ROUTES = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign/search',
	smishing: 'POST /api/smishing-simulator/smishing-campaign/search',
};
/**
 * The index of each company's parent. The companies are a parent, its child, the child's child, and two companies
 * without parent or child.
 */
export const PARENT_INDEXES = [null, 0, 1, null, null];

/**
 * Starts the stand-in for the tests of a file. The clock moves only when a test moves it. Pauses between retries take
 * no time.
 * @param onStart called with the fixture before the first test
 */
export function setUpTreeFixture(
	onStart: (fixture: PollingFixture) => void,
	companyCount = PARENT_INDEXES.length,
): void {
	let fixture: PollingFixture;
	beforeAll(async () => {
		fixture = new PollingFixture(await startStandIn({ companyCount }));
		onStart(fixture);
	});
	beforeEach(() => {
		fixture.clear();
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => fixture.standIn.close());
}

/**
 * A campaign trigger and the platform that it polls. By default, the trigger reads every company list in every poll.
 */
export class TriggerScenario {
	readonly platform: TreePlatform;
	readonly trigger: ActiveTrigger;
	private lastItems: IDataObject[] = [];

	/** The items that the last poll emitted. */
	get emittedItems(): IDataObject[] {
		return this.lastItems;
	}

	constructor(
		readonly fixture: PollingFixture,
		traits: Partial<TreePlatformTraits> = {},
		parameters: IDataObject = {},
		options: IDataObject = { readEachCompany: true },
	) {
		const allTraits: TreePlatformTraits = {
			parents: PARENT_INDEXES,
			shouldListDescendants: true,
			leadingChildCount: 1,
			selectedCompanies: undefined,
			globalLists: { phishing: 'all', smishing: 'all' },
			...traits,
		};
		this.platform = new TreePlatform(fixture, allTraits, ROUTES);
		const allParameters: IDataObject = {
			simulators: ['phishing'],
			companyScope: 'every',
			onlyCompanies: allTraits.selectedCompanies ? { nameContains: 'in' } : undefined,
			...parameters,
			options: { readEachCompanyEvery: 0, ...options },
		};
		this.trigger = new ActiveTrigger(createCampaignTrigger(), omitUndefined(allParameters), fixture.standIn);
	}

	/**
	 * Creates a record on the platform.
	 * @param owner the index of the record's company; null for a record of the reseller
	 */
	createRecord(owner: number | null, hoursAgo = 0, list = 'phishing'): TreeRecord {
		const record = {
			id: `record-${this.platform.records.length + 1}`,
			list,
			owner,
			status: 'Running',
			createdAt: this.fixture.now - hoursAgo * HOUR,
		};
		this.platform.records.push(record);
		return record;
	}

	async poll(): Promise<void> {
		this.platform.setFaults();
		this.trigger.log.length = 0;
		this.lastItems = (await this.trigger.poll()) ?? [];
	}

	/**
	 * Returns what the last poll decided about a record, in the words of the table "Every decision" in
	 * nodes/core/trigger/README.md.
	 */
	getDecision({ id, owner }: TreeRecord): string {
		const item = this.lastItems.find(({ resourceId }) => resourceId === id);
		if (item?.companyResourceId === null) return 'emitted without a company';
		if (item && owner !== null && item.companyResourceId === this.platform.getCompanyId(owner))
			return 'emitted for its company';
		if (item) return `emitted for ${String(item.companyResourceId)}`;
		const state = parseMemory(this.trigger.storedMemory)?.lists.phishingCampaign;
		if (state?.waitingRecords.has(id)) return 'waiting';
		return state?.rememberedRecords.has(id) ? 'remembered' : 'ignored';
	}
}
