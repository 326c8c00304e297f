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
import { asData } from '../n8n-core/nodeFixture';
import type { StandIn } from '../stand-in';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import type { Campaign, Enrollment, ReportedEmail } from '../stand-in/seed';
import { isRecord } from '../../nodes/core/values';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.parse('2026-06-01T09:00:00.000Z');

export const campaignTrigger = () => new SecurityAwarenessCampaignTrigger();
export const enrollmentTrigger = () => new SecurityAwarenessEnrollmentTrigger();
export const reportedEmailTrigger = () => new SecurityAwarenessReportedEmailTrigger();

type Listed = Campaign | Enrollment | ReportedEmail;
/** Which list of a company a record is in. */
export type List = Simulator | 'enrollment' | 'reported';

/** The service's campaigns and enrollments, and the time that it has. */
export class PollingFixture {
	now = START;
	private made = 0;

	constructor(readonly service: StandIn) {}

	/** Everything anew: no records at all. */
	clear(): void {
		this.service.clearFaults();
		this.service.clearLog();
		this.at(START);
		this.service.setOptions({ beforeAnswer: undefined, latencyMs: 0, maxPageSize: Infinity });
		for (const company of [this.service.state.reseller, ...this.service.state.companies]) {
			const holdings = this.service.state.of(company.companyResourceId);
			for (const simulator of SIMULATORS) holdings.campaigns(simulator).length = 0;
			holdings.enrollments.length = 0;
			holdings.reportedEmails.length = 0;
		}
	}

	at(time: number): void {
		this.now = time;
		this.service.setOptions({ clock: time });
	}

	pass(ms: number): void {
		this.at(this.now + ms);
	}

	company(index: number): { id: string; name: string } {
		const all = this.service.state.companies;
		const company = all[index % all.length];
		if (!company) throw new Error('There is no company');
		return { id: company.companyResourceId, name: company.companyName ?? '' };
	}

	private listOf(list: List, company: string): Listed[] {
		const holdings = this.service.state.of(company);
		if (list === 'reported') return holdings.reportedEmails;
		return list === 'enrollment' ? holdings.enrollments : holdings.campaigns(list);
	}

	/** A new record. @param late how long before now it says it was created, in ms */
	create(
		list: List,
		company: number,
		late = 0,
		more: { status?: string; instanceGroups?: number[]; id?: string } = {},
	): string {
		const { id: companyResourceId, name: companyName } = this.company(company);
		const resourceId = more.id ?? `record-${++this.made}`;
		const shared = {
			resourceId,
			name: `Record ${this.made}`,
			companyResourceId,
			status: more.status ?? 'Running',
			createTime: new Date(this.now - late).toISOString(),
			excludeFromReports: false,
		};
		if (list === 'reported') {
			this.service.state.of(companyResourceId).reportedEmails.push({
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
			this.service.state.of(companyResourceId).enrollments.push({
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
				seeded: false,
				asked: {},
			});
		} else {
			this.service.state
				.of(companyResourceId)
				.campaigns(list)
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
	delete(list: List, company: number, id: string): () => void {
		const records = this.listOf(list, this.company(company).id);
		const [gone] = records.splice(
			records.findIndex(({ resourceId }) => resourceId === id),
			1,
		);
		return () => {
			if (gone) records.push(gone);
		};
	}

	setStatus(list: List, company: number, id: string, status: string): void {
		const found = this.listOf(list, this.company(company).id).find(({ resourceId }) => resourceId === id);
		if (found) found.status = status;
	}
}

/** The parts of n8n's context of a poll that a test looks at or changes. */
type Context = IPollFunctions & { workflow: { staticData: IDataObject }; logger: IPollFunctions['logger'] };

/** A trigger in an active workflow, with what n8n keeps in memory and in its database. */
export class Active {
	memory: IDataObject = {};
	saved: IDataObject = {};
	/** What n8n's log was told, the newest last. */
	readonly log: string[] = [];
	workflowId = randomUUID();
	/** The node's own name in the workflow. */
	name: string | undefined;
	activation: WorkflowActivateMode = 'activate';
	readonly store: CredentialStore;
	/** n8n's usual poller has one context for as long as a workflow is published as it is. */
	private published: { as: string; context: Context } | undefined;

	constructor(
		readonly node: INodeType,
		readonly parameters: IDataObject,
		service: { url: string; clients: { reseller: { clientId: string; clientSecret: string } } },
	) {
		const { clientId, clientSecret } = service.clients.reseller;
		this.store = new CredentialStore(asData({ serverUrl: service.url, clientId, clientSecret }));
	}

	/**
	 * A poll by the usual poller.
	 * @param isActivation whether it is the one that n8n makes when a workflow is activated or n8n starts
	 * @returns the items' json, or null
	 */
	async poll(
		mode: 'trigger' | 'manual' = 'trigger',
		isActivation = Object.keys(this.memory).length === 0,
	): Promise<IDataObject[] | null> {
		const context = mode === 'manual' ? await this.newContext(mode) : await this.contextOfWorkflow();
		context.workflow.staticData = this.memory;
		// What a failed poll has changed stays in n8n's memory.
		const items = (await this.node.poll?.call(context))?.[0] ?? null;
		if (mode === 'manual') return items?.map(({ json }) => json) ?? null;
		// A poll that gives nothing is not saved, but for the one at activation.
		if (items || isActivation) this.saved = deepCopy(this.memory);
		return items?.map(({ json }) => json) ?? null;
	}

	/** What the trigger has stored. */
	get remembered(): unknown {
		const [own] = Object.values(this.memory);
		return isRecord(own) ? own.remembered : undefined;
	}

	/** n8n stops and starts. */
	restart(): void {
		this.published = undefined;
		this.memory = JSON.parse(JSON.stringify(this.saved)) as IDataObject;
	}

	private async contextOfWorkflow(): Promise<Context> {
		const as = JSON.stringify([this.parameters, this.activation]);
		if (this.published?.as !== as) this.published = { as, context: await this.newContext('trigger') };
		return this.published.context;
	}

	private async newContext(mode: 'trigger' | 'manual'): Promise<Context> {
		const { parameters, activation, workflowId, store: credential } = this;
		let made: Context | undefined;
		const keep = async function (this: IPollFunctions) {
			made = this as Context;
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

export const idsOf = (items: IDataObject[] | null): string[] => (items ?? []).map((item) => String(item.resourceId));
