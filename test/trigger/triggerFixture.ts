/**
 * The fixture for tests of triggers: a stand-in with four companies that have no records. The last company is a child
 * of the third.
 */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import {
	ActiveTrigger,
	createCampaignTrigger,
	createEnrollmentTrigger,
	HOUR,
	PollingFixture,
	type RecordList,
} from './pollingFixture';

export const PHISHING_ROUTE = 'POST /api/phishing-simulator/phishing-campaign/search';
export const SMISHING_ROUTE = 'POST /api/smishing-simulator/smishing-campaign/search';
export const JOBS_ROUTE = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
export const ENROLLMENTS_ROUTE = 'POST /api/enrollments/search';
export const COMPANIES_ROUTE = 'POST /api/companies/search';
export const MINUTE = 60_000;

/** Adds fields to each row of a list response. Returns other responses unchanged. */
export function addFieldsToRows(envelope: unknown, fields: IDataObject): unknown {
	const { data, ...otherFields } = envelope as { data?: { results?: IDataObject[] } };
	const results = data?.results?.map((row) => ({ ...row, ...fields }));
	return results ? { ...otherFields, data: { ...data, results } } : envelope;
}

/** A fixture that creates triggers, which poll its stand-in. Only the test moves the clock. */
export class TriggerFixture extends PollingFixture {
	static async start(): Promise<TriggerFixture> {
		return new TriggerFixture(await startStandIn({ companyCount: 4 }));
	}

	/** Resets the records, the faults, the log and the clock. Call it before each test. */
	reset(): void {
		this.clear();
		this.standIn.setOptions({ transformEnvelope: undefined });
		// The pauses between retries are multiplied by a random number. With 0, they take no time.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
	}

	createPhishingTrigger(parameters: IDataObject = {}): ActiveTrigger {
		return new ActiveTrigger(
			createCampaignTrigger(),
			{ simulators: ['phishing'], companyScope: 'every', ...parameters },
			this.standIn,
		);
	}

	createEnrollmentsTrigger(parameters: IDataObject = {}): ActiveTrigger {
		return new ActiveTrigger(createEnrollmentTrigger(), { companyScope: 'every', ...parameters }, this.standIn);
	}

	/** Returns the node parameters that select the company with this index. */
	getOneCompanyParameters(index: number) {
		return { companyScope: 'one', company: { __rl: true, mode: 'id', value: this.getCompany(index).id } };
	}

	/** Returns the IDs of all companies, sorted. */
	getAllCompanyIds(): string[] {
		return [0, 1, 2, 3].map((index) => this.getCompany(index).id).sort();
	}

	/**
	 * Returns the company ID of each request to a route since the log was cleared last, and clears the log. The ID ''
	 * stands for a request without a company.
	 */
	takeRequestedCompanies(route: string): string[] {
		const companies = this.standIn.getRequests(route).map(({ companyId = '' }) => companyId);
		this.standIn.clearLog();
		return companies;
	}

	/** Creates records that prove that the global list is complete, polls once, and clears the log of requests. */
	async learnThatGlobalListIsComplete(
		trigger: ActiveTrigger,
		lists: RecordList[] = ['phishing', 'smishing', 'quishing', 'enrollment'],
	): Promise<ActiveTrigger> {
		for (const list of lists) for (const index of [0, 1]) this.createRecord(list, index, HOUR);
		await trigger.poll();
		this.standIn.clearLog();
		return trigger;
	}
}
