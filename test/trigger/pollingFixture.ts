/** What the tests of the triggers share: a small world whose clock stands still until it is told to go on, and polls as n8n does them. */
import { randomUUID } from 'node:crypto';
import {
	deepCopy,
	type IDataObject,
	type INodeType,
	type IPollFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { SecurityAwarenessCampaignTrigger } from '../../nodes/CampaignTrigger/SecurityAwarenessCampaignTrigger.node';
import { SecurityAwarenessEnrollmentTrigger } from '../../nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node';
import { SecurityAwarenessReportedEmailTrigger } from '../../nodes/ReportedEmailTrigger/SecurityAwarenessReportedEmailTrigger.node';
import { CredentialStore, runPoll } from '../n8n-core';
import { parseCredentialValues } from '../n8n-core/nodeFixture';
import type { StandIn } from '../stand-in';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import type { Campaign, Enrollment, ReportedEmail } from '../stand-in/seed';
import { isRecord } from '../../nodes/core/values';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.parse('2026-06-01T09:00:00.000Z');

export const createCampaignTrigger = () => new SecurityAwarenessCampaignTrigger();
export const createEnrollmentTrigger = () => new SecurityAwarenessEnrollmentTrigger();
export const createReportedEmailTrigger = () => new SecurityAwarenessReportedEmailTrigger();

type ListedRecord = Campaign | Enrollment | ReportedEmail;
/** Which list of a company a record is in. */
export type RecordList = Simulator | 'enrollment' | 'reported';

/** The service's campaigns and enrollments, and the time that it has. */
export class PollingFixture {
	now = START;
	private recordCount = 0;

	constructor(readonly service: StandIn) {}

	/** Everything anew: no records at all. */
	clear(): void {
		this.service.clearFaults();
		this.service.clearLog();
		this.setTime(START);
		this.service.setOptions({ beforeResponse: undefined, latencyMs: 0, maxPageSize: Infinity });
		for (const getCompany of [this.service.state.resellerCompany, ...this.service.state.companies]) {
			const holdings = this.service.state.getCompanyData(getCompany.companyResourceId);
			for (const simulator of SIMULATORS) holdings.getCampaigns(simulator).length = 0;
			holdings.enrollments.length = 0;
			holdings.reportedEmails.length = 0;
		}
	}

	setTime(time: number): void {
		this.now = time;
		this.service.setOptions({ clockTime: time });
	}

	advanceTime(ms: number): void {
		this.setTime(this.now + ms);
	}

	getCompany(index: number): { id: string; name: string } {
		const all = this.service.state.companies;
		const getCompany = all[index % all.length];
		if (!getCompany) throw new Error('There is no company');
		return { id: getCompany.companyResourceId, name: getCompany.companyName ?? '' };
	}

	private getRecords(list: RecordList, getCompany: string): ListedRecord[] {
		const holdings = this.service.state.getCompanyData(getCompany);
		if (list === 'reported') return holdings.reportedEmails;
		return list === 'enrollment' ? holdings.enrollments : holdings.getCampaigns(list);
	}

	/** A new record. @param late how long before now it says it was created, in ms */
	createRecord(
		list: RecordList,
		getCompany: number,
		late = 0,
		more: { status?: string; instanceGroups?: number[]; id?: string } = {},
	): string {
		const { id: companyResourceId, name: companyName } = this.getCompany(getCompany);
		const resourceId = more.id ?? `record-${++this.recordCount}`;
		const shared = {
			resourceId,
			name: `Record ${this.recordCount}`,
			companyResourceId,
			status: more.status ?? 'Running',
			createTime: new Date(this.now - late).toISOString(),
			excludeFromReports: false,
		};
		if (list === 'reported') {
			this.service.state.getCompanyData(companyResourceId).reportedEmails.push({
				...shared,
				subject: shared.name,
				reportedBy: 'ada@customer.example',
				from: 'x@evil.example',
				senderName: 'X',
				senderIp: '203.0.113.9',
				htmlBody: '<p>Hello</p>',
				result: 'Undetected',
				tags: [],
				note: null,
				customMessage: null,
				isNotifyUser: false,
				sha512: '',
				mailsSent: 0,
			});
		} else if (list === 'enrollment') {
			this.service.state.getCompanyData(companyResourceId).enrollments.push({
				...shared,
				trainingId: 't',
				trainingName: 'Training',
				category: '',
				targetAudience: '',
				type: 'Training',
				enrolledBy: '',
				delivery: 'Email',
				certificateName: '',
				languages: [],
				tags: [],
				startDate: shared.createTime,
				dueDate: null,
				awardCertificate: false,
				markedAsTest: false,
				autoEnroll: false,
				hasReminder: false,
				sendTemplatesInPreferredLanguage: false,
				targetGroupResourceIds: [],
				sendCount: 0,
				isSeeded: false,
				requestBody: {},
			});
		} else {
			this.service.state
				.getCompanyData(companyResourceId)
				.getCampaigns(list)
				.push({
					...shared,
					simulator: list,
					companyName,
					scenario: 'S',
					difficulty: 'Easy',
					instanceGroups: more.instanceGroups ?? [1],
					userResourceIds: [],
				});
		}
		return resourceId;
	}

	/** Takes a record out of its list. @returns what puts it back */
	deleteRecord(list: RecordList, getCompany: number, id: string): () => void {
		const records = this.getRecords(list, this.getCompany(getCompany).id);
		const [gone] = records.splice(
			records.findIndex(({ resourceId }) => resourceId === id),
			1,
		);
		return () => {
			if (gone) records.push(gone);
		};
	}

	setStatus(list: RecordList, getCompany: number, id: string, status: string): void {
		const found = this.getRecords(list, this.getCompany(getCompany).id).find(({ resourceId }) => resourceId === id);
		if (found) found.status = status;
	}
}

/** The parts of n8n's context of a poll that a test looks at or changes. */
type PollContext = IPollFunctions & { workflow: { staticData: IDataObject }; logger: IPollFunctions['logger'] };

/** A trigger in an active workflow, with what n8n keeps in memory and in its database. */
export class ActiveTrigger {
	staticData: IDataObject = {};
	savedStaticData: IDataObject = {};
	/** What n8n's log was told, the newest last. */
	readonly log: string[] = [];
	workflowId = randomUUID();
	/** The node's own name in the workflow. */
	name: string | undefined;
	activation: WorkflowActivateMode = 'activate';
	readonly credentialStore: CredentialStore;
	/** n8n's usual poller has one context for as long as a workflow is published as it is. */
	private publication: { as: string; context: PollContext } | undefined;

	constructor(
		readonly node: INodeType,
		readonly parameters: IDataObject,
		service: { url: string; clients: { reseller: { clientId: string; clientSecret: string } } },
	) {
		const { clientId, clientSecret } = service.clients.reseller;
		this.credentialStore = new CredentialStore(parseCredentialValues({ serverUrl: service.url, clientId, clientSecret }));
	}

	/**
	 * A poll by the usual poller.
	 * @param isActivation whether it is the one that n8n makes when a workflow is activated or n8n starts
	 * @returns the items' json, or null
	 */
	async poll(
		mode: 'trigger' | 'manual' = 'trigger',
		isActivation = Object.keys(this.staticData).length === 0,
	): Promise<IDataObject[] | null> {
		const context = mode === 'manual' ? await this.createContext(mode) : await this.getWorkflowContext();
		context.workflow.staticData = this.staticData;
		// What a failed poll has changed stays in n8n's memory.
		const items = (await this.node.poll?.call(context))?.[0] ?? null;
		if (mode === 'manual') return items?.map(({ json }) => json) ?? null;
		// A poll that gives nothing is not saved, but for the one at activation.
		if (items || isActivation) this.savedStaticData = deepCopy(this.staticData);
		return items?.map(({ json }) => json) ?? null;
	}

	/** What the trigger has stored. */
	get storedMemory(): unknown {
		const [own] = Object.values(this.staticData);
		return isRecord(own) ? own.remembered : undefined;
	}

	/** n8n stops and starts. */
	restart(): void {
		this.publication = undefined;
		this.staticData = JSON.parse(JSON.stringify(this.savedStaticData)) as IDataObject;
	}

	private async getWorkflowContext(): Promise<PollContext> {
		const as = JSON.stringify([this.parameters, this.activation]);
		if (this.publication?.as !== as) this.publication = { as, context: await this.createContext('trigger') };
		return this.publication.context;
	}

	private async createContext(mode: 'trigger' | 'manual'): Promise<PollContext> {
		const { parameters, activation, workflowId, credentialStore: credential } = this;
		let made: PollContext | undefined;
		const keep = async function (this: IPollFunctions) {
			made = this as PollContext;
			return await Promise.resolve(null);
		};
		const node = { description: this.node.description, poll: keep };
		const named = this.name === undefined ? {} : { name: this.name };
		await runPoll({ node, parameters, activation, workflowId, credential, mode, ...named });
		if (!made) throw new Error('n8n has made no context');
		const say = (message: string) => void this.log.push(message);
		Object.defineProperty(made, 'logger', { value: { warn: say, info: say, debug: () => {}, error: say } });
		return made;
	}
}

export const getIds = (items: IDataObject[] | null): string[] => (items ?? []).map((item) => String(item.resourceId));
