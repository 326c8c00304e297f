/** What the tests of the triggers share: a service of four companies, the last one a child of the third, with nothing in it before each test. */
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

export const PHISHING = 'POST /api/phishing-simulator/phishing-campaign/search';
export const SMISHING = 'POST /api/smishing-simulator/smishing-campaign/search';
export const JOBS = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
export const ENROLLMENTS = 'POST /api/enrollments/search';
export const COMPANIES = 'POST /api/companies/search';
export const MINUTE = 60_000;

/** The answer of a list with fields in each of its rows. */
export function addFieldsToRows(envelope: unknown, fields: IDataObject): unknown {
	const { data, ...rest } = envelope as { data?: { results?: IDataObject[] } };
	const results = data?.results?.map((row) => ({ ...row, ...fields }));
	return results ? { ...rest, data: { ...data, results } } : envelope;
}

/** Triggers that poll a service of a test file, whose clock stands still until it is told to go on. */
export class TriggerFixture extends PollingFixture {
	static async start(): Promise<TriggerFixture> {
		return new TriggerFixture(await startStandIn({ companyCount: 4 }));
	}

	/** Before each test. */
	reset(): void {
		this.clear();
		this.standIn.setOptions({ transformEnvelope: undefined });
		// Pauses between tries are random: here they take no time.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
	}

	createPhishingTrigger(more: IDataObject = {}): ActiveTrigger {
		return new ActiveTrigger(
			createCampaignTrigger(),
			{ simulators: ['phishing'], companyScope: 'every', ...more },
			this.standIn,
		);
	}

	createEnrollmentsTrigger(more: IDataObject = {}): ActiveTrigger {
		return new ActiveTrigger(createEnrollmentTrigger(), { companyScope: 'every', ...more }, this.standIn);
	}

	/** The parameters for one company. */
	oneCompanyParameters(index: number) {
		return { companyScope: 'one', company: { __rl: true, mode: 'id', value: this.getCompany(index).id } };
	}

	/** The IDs of all companies. */
	getAllCompanyIds(): string[] {
		return [0, 1, 2, 3].map((index) => this.getCompany(index).id).sort();
	}

	/** The requests since the last call: the companies that were asked, '' for a request without one. */
	takeRequestedCompanies(route: string): string[] {
		const companies = this.standIn.getRequests(route).map(({ companyId = '' }) => companyId);
		this.standIn.clearLog();
		return companies;
	}

	/** A trigger whose list without a company is known to have the records of all; its log is empty. */
	async learnGlobalList(
		trigger: ActiveTrigger,
		lists: RecordList[] = ['phishing', 'smishing', 'quishing', 'enrollment'],
	): Promise<ActiveTrigger> {
		for (const list of lists) for (const index of [0, 1]) this.createRecord(list, index, HOUR);
		await trigger.poll();
		this.standIn.clearLog();
		return trigger;
	}
}
