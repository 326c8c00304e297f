/**
 * The fixture for tests of triggers: a stand-in (a simulated platform) whose clock only the test moves, and triggers
 * that are polled as n8n polls them.
 */
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
import { SecurityAwarenessPersonEventTrigger } from '../../nodes/PersonEventTrigger/SecurityAwarenessPersonEventTrigger.node';
import { SecurityAwarenessReportedEmailTrigger } from '../../nodes/ReportedEmailTrigger/SecurityAwarenessReportedEmailTrigger.node';
import { CredentialStore, runPoll } from '../n8n-core';
import { parseCredentialValues } from '../n8n-core/nodeFixture';
import type { StandIn } from '../stand-in';
import type { PersonEvent } from '../stand-in/companyData';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import type { Campaign, Enrollment, ReportedEmail } from '../stand-in/seed';
import { isRecord } from '../../nodes/core/values';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START_TIME = Date.parse('2026-06-01T09:00:00.000Z');

export const createCampaignTrigger = () => new SecurityAwarenessCampaignTrigger();
export const createEnrollmentTrigger = () => new SecurityAwarenessEnrollmentTrigger();
export const createPersonEventTrigger = () => new SecurityAwarenessPersonEventTrigger();
export const createReportedEmailTrigger = () => new SecurityAwarenessReportedEmailTrigger();

type ListedRecord = Campaign | Enrollment | ReportedEmail;
/** The name of a company's list: a simulator (its campaigns), 'enrollment' or 'reported' (reported emails). */
export type RecordList = Simulator | 'enrollment' | 'reported';

/**
 * A stand-in, with methods to create and change its campaigns, enrollments and reported emails, and a clock that only
 * the test moves.
 */
export class PollingFixture {
	now = START_TIME;
	private recordCount = 0;

	constructor(readonly standIn: StandIn) {}

	/** Resets the clock and deletes all records, faults and logged requests. */
	clear(): void {
		this.standIn.clearFaults();
		this.standIn.clearLog();
		this.setTime(START_TIME);
		this.standIn.setOptions({ beforeResponse: undefined, latencyMs: 0, maxPageSize: Infinity, missingRoutes: [] });
		const { world } = this.standIn;
		for (const company of [world.resellerCompany, ...world.companies]) {
			const companyData = world.getCompanyData(company.companyResourceId);
			for (const simulator of SIMULATORS) companyData.getCampaigns(simulator).length = 0;
			companyData.enrollments.length = 0;
			companyData.reportedEmails.length = 0;
			companyData.personEvents.length = 0;
		}
	}

	setTime(time: number): void {
		this.now = time;
		this.standIn.setOptions({ clockTime: time });
	}

	advanceTime(ms: number): void {
		this.setTime(this.now + ms);
	}

	getCompany(index: number): { id: string; name: string } {
		const { companies } = this.standIn.world;
		const company = companies[index % companies.length];
		if (!company) throw new Error('There is no company');
		return { id: company.companyResourceId, name: company.companyName ?? '' };
	}

	private getRecords(list: RecordList, companyIndex: number): ListedRecord[] {
		const companyData = this.standIn.world.getCompanyData(this.getCompany(companyIndex).id);
		if (list === 'reported') return companyData.reportedEmails;
		return list === 'enrollment' ? companyData.enrollments : companyData.getCampaigns(list);
	}

	/**
	 * Creates a record.
	 * @param ageMs the age of the record in ms
	 * @returns the ID of the record
	 */
	createRecord(
		list: RecordList,
		companyIndex: number,
		ageMs = 0,
		fields: { status?: string; instanceGroups?: number[]; id?: string; type?: string } = {},
	): string {
		const { id: companyResourceId, name: companyName } = this.getCompany(companyIndex);
		const companyData = this.standIn.world.getCompanyData(companyResourceId);
		const resourceId = fields.id ?? `record-${++this.recordCount}`;
		const sharedFields = {
			resourceId,
			name: `Record ${this.recordCount}`,
			companyResourceId,
			status: fields.status ?? 'Running',
			createTime: new Date(this.now - ageMs).toISOString(),
			excludeFromReports: false,
		};
		if (list === 'reported') {
			companyData.reportedEmails.push({
				...sharedFields,
				subject: sharedFields.name,
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
				sentEmailCount: 0,
			});
		} else if (list === 'enrollment') {
			companyData.enrollments.push({
				...sharedFields,
				trainingId: 't',
				trainingName: 'Training',
				category: '',
				targetAudience: '',
				type: fields.type ?? 'Training',
				enrolledBy: '',
				delivery: 'Email',
				certificateName: '',
				languages: [],
				tags: [],
				startDate: sharedFields.createTime,
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
			companyData.getCampaigns(list).push({
				...sharedFields,
				simulator: list,
				companyName,
				scenario: 'S',
				difficulty: 'Easy',
				instanceGroups: fields.instanceGroups ?? [1],
				userResourceIds: [],
			});
		}
		return resourceId;
	}

	/** Creates an event of the first person of a company. @param ageMs the age of the event in ms */
	createEvent(companyIndex: number, ageMs = 0, fields: Partial<PersonEvent> = {}): PersonEvent {
		const { users, personEvents } = this.standIn.world.getCompanyData(this.getCompany(companyIndex).id);
		const event: PersonEvent = {
			targetUserResourceId: users[0]?.resourceId ?? '',
			resourceId: 'training-1',
			name: 'Passwords',
			actionType: 'TrainingCompleted',
			actionTime: new Date(this.now - ageMs).toISOString(),
			productType: 'Training',
			difficultyType: null,
			...fields,
		};
		personEvents.push(event);
		return event;
	}

	/** Removes a record from its list. Returns a function that adds the record again. */
	deleteRecord(list: RecordList, companyIndex: number, id: string): () => void {
		const records = this.getRecords(list, companyIndex);
		const [deletedRecord] = records.splice(
			records.findIndex(({ resourceId }) => resourceId === id),
			1,
		);
		return () => {
			if (deletedRecord) records.push(deletedRecord);
		};
	}

	setStatus(list: RecordList, companyIndex: number, id: string, status: string): void {
		const record = this.getRecords(list, companyIndex).find(({ resourceId }) => resourceId === id);
		if (record) record.status = status;
	}
}

/** The context that n8n passes to a poll, including the properties that are set here. */
type PollContext = IPollFunctions & { workflow: { staticData: IDataObject }; logger: IPollFunctions['logger'] };

/** A trigger in an active workflow, with the data that n8n keeps in memory and in its database. */
export class ActiveTrigger {
	/** The node's static data, as n8n keeps it in memory. */
	staticData: IDataObject = {};
	/** The node's static data, as n8n has saved it in its database. */
	savedStaticData: IDataObject = {};
	/** The messages in n8n's log, oldest first. */
	readonly log: string[] = [];
	workflowId = randomUUID();
	/** The name of the node in the workflow. */
	name: string | undefined;
	activation: WorkflowActivateMode = 'activate';
	readonly credentialStore: CredentialStore;
	/**
	 * The context of n8n's usual poller, and the settings for which it was created. The poller keeps the context until
	 * the published workflow changes.
	 */
	private workflowContext: { settings: string; context: PollContext } | undefined;

	constructor(
		readonly node: INodeType,
		readonly parameters: IDataObject,
		server: { url: string; clients: { reseller: { clientId: string; clientSecret: string } } },
	) {
		const { clientId, clientSecret } = server.clients.reseller;
		this.credentialStore = new CredentialStore(
			parseCredentialValues({ serverUrl: server.url, clientId, clientSecret }),
		);
	}

	/**
	 * Polls the trigger as n8n's usual poller does.
	 * @param mode 'manual' for 'Fetch Test Event'
	 * @param isActivation true for the poll that n8n makes when a workflow is activated, or when n8n starts
	 * @returns the JSON objects of the items, or null
	 */
	async poll(
		mode: 'trigger' | 'manual' = 'trigger',
		isActivation = Object.keys(this.staticData).length === 0,
	): Promise<IDataObject[] | null> {
		const context = mode === 'manual' ? await this.createContext(mode) : await this.getWorkflowContext();
		// The poll changes this object directly. So the changes are kept even if the poll fails later, as in n8n.
		context.workflow.staticData = this.staticData;
		const [items = null] = (await this.node.poll?.call(context)) ?? [];
		// After a poll without items, n8n saves the static data only if the poll was made at the activation.
		if (mode !== 'manual' && (items || isActivation)) this.savedStaticData = deepCopy(this.staticData);
		return items?.map(({ json }) => json) ?? null;
	}

	/** The memory of the trigger in the static data; undefined if there is none. */
	get storedMemory(): unknown {
		const [nodeData] = Object.values(this.staticData);
		return isRecord(nodeData) ? nodeData.remembered : undefined;
	}

	/** Simulates a restart of n8n. Only the static data in the database is kept. */
	restart(): void {
		this.workflowContext = undefined;
		this.staticData = JSON.parse(JSON.stringify(this.savedStaticData)) as IDataObject;
	}

	private async getWorkflowContext(): Promise<PollContext> {
		const settings = JSON.stringify([this.parameters, this.activation]);
		if (this.workflowContext?.settings !== settings)
			this.workflowContext = { settings, context: await this.createContext('trigger') };
		return this.workflowContext.context;
	}

	private async createContext(mode: 'trigger' | 'manual'): Promise<PollContext> {
		const { parameters, activation, workflowId, credentialStore: credential } = this;
		let createdContext: PollContext | undefined;
		const captureContext = async function (this: IPollFunctions) {
			createdContext = this as PollContext;
			return await Promise.resolve(null);
		};
		const node = { description: this.node.description, poll: captureContext };
		const nameOption = this.name === undefined ? {} : { name: this.name };
		await runPoll({ node, parameters, activation, workflowId, credential, mode, ...nameOption });
		if (!createdContext) throw new Error('n8n has made no context');
		const addToLog = (message: string) => {
			this.log.push(message);
		};
		const logger = { warn: addToLog, info: addToLog, debug: () => {}, error: addToLog };
		Object.defineProperty(createdContext, 'logger', { value: logger });
		return createdContext;
	}
}

/** Returns the record ID of each item. */
export const getIds = (items: IDataObject[] | null): string[] => (items ?? []).map((item) => String(item.resourceId));
