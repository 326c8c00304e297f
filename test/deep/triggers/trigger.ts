import {
	deepCopy,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { CredentialStore } from '../../n8n-core';
import { loadCore } from '../../n8n-core/core';
import { loadNode } from '../../n8n-core/package';
import { workflowOf } from '../../n8n-core/workflow';

import type { HttpHelper } from './server';

export type TriggerName = 'Campaign' | 'Enrollment';

const FILES = {
	Campaign: 'dist/nodes/CampaignTrigger/SecurityAwarenessCampaignTrigger.node.js',
	Enrollment: 'dist/nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node.js',
} as const;

/** What came of one poll. */
export interface PollOutcome {
	items: INodeExecutionData[];
	error?: Error;
	/** What the node wrote to n8n's log at the levels warn and error. */
	warnings: string[];
	/** Bytes of the state that n8n would keep. */
	stateBytes: number;
	/** Whether n8n's database has the state as it was after it. */
	isSaved?: boolean;
}

interface Active {
	workflow: Workflow;
	node: INode;
	additionalData: IWorkflowExecuteAdditionalData;
}

/** The text of what a node writes to the log. */
const textOf = (parts: unknown[]): string =>
	parts
		.map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : JSON.stringify(part)))
		.join(' ');

let triggers = 0;
let clients = 0;

/**
 * One trigger in one workflow, polled as n8n does: a workflow is kept in memory from its activation on, and its static
 * data is saved when a poll gives something (or, with the durable poller, after every poll that works).
 */
export class ActiveTrigger {
	private active: Active | undefined;
	/** What n8n's database has of the state. */
	private saved: IDataObject = {};
	private isSaved = false;
	/** One of its own: what the trigger keeps in memory is of another n8n's clock. */
	private workflowId = `harness-${++triggers}`;

	private constructor(
		private readonly type: INodeType,
		private readonly store: CredentialStore,
		private parameters: IDataObject,
		private readonly isDurable: boolean,
	) {}

	/** Sends the node's requests, in place of n8n's own helper. */
	direct: HttpHelper | undefined;

	static async of(
		name: TriggerName,
		serverUrl: string,
		parameters: IDataObject,
		isDurable = false,
	): Promise<ActiveTrigger> {
		const store = new CredentialStore({
			// The node keeps the companies that it listed last, for each client.
			...{ serverUrl, clientId: `client-${++clients}`, clientSecret: 'the-secret' },
			oauthTokenData: { access_token: 'model-token', token_type: 'Bearer' },
		});
		return new ActiveTrigger(await loadNode(FILES[name]), store, parameters, isDurable);
	}

	/** Ends n8n and starts it again: what was in memory only is lost. */
	restart(): void {
		this.active = undefined;
		this.workflowId = `harness-${++triggers}`;
	}

	/** Damages what n8n's database has of the state, and starts n8n again. */
	damage(): void {
		const damaged: IDataObject = JSON.parse(JSON.stringify(this.saved).replace('"version":', '"version":1'));
		this.saved = damaged;
		this.restart();
	}

	/** Saves the workflow with other parameters, which activates it anew. */
	change(parameters: IDataObject): void {
		this.parameters = parameters;
		this.restart();
	}

	/** The state as n8n has it in memory, as text. */
	get state(): string {
		return JSON.stringify(this.active?.workflow.staticData ?? this.saved);
	}

	private async activate(): Promise<Active> {
		const { type: node, parameters, store: credential } = this;
		const loaded = await loadCore();
		const { workflowId, saved } = this;
		const options = { workflowId, node, parameters, credential, staticData: deepCopy(saved) };
		this.active ??= await workflowOf(loaded, options);
		return this.active;
	}

	/** @param isCrash n8n ends after the poll and before it has saved anything */
	async poll({
		budgetMs,
		isCrash = false,
	}: { budgetMs?: number | undefined; isCrash?: boolean } = {}): Promise<PollOutcome> {
		const isFirst = !this.active;
		const active = await this.activate();
		const before = deepCopy(active.workflow.staticData);
		const outcome = await this.run(active, budgetMs, isFirst && this.isSaved ? 'init' : 'activate');
		if (isCrash) {
			this.restart();
			return outcome;
		}
		if (outcome.error) {
			// The durable poller forgets what a failed poll has written, the usual one keeps it in memory.
			if (this.isDurable) this.active = await this.renewed(before);
		} else if (outcome.items.length > 0 || isFirst || !this.isSaved || this.isDurable) {
			this.saved = deepCopy(active.workflow.staticData);
			this.isSaved = true;
			return { ...outcome, isSaved: true };
		}
		return outcome;
	}

	/** Two polls that n8n starts in the same moment. */
	async overlap(budgetMs?: number): Promise<PollOutcome[]> {
		const active = await this.activate();
		const outcomes = await Promise.all([
			this.run(active, budgetMs, 'activate'),
			this.run(active, budgetMs, 'activate'),
		]);
		const isSaved = outcomes.some(({ items }) => items.length > 0);
		if (isSaved) this.saved = deepCopy(active.workflow.staticData);
		return outcomes.map((outcome) => ({ ...outcome, isSaved }));
	}

	/** What a person gets with Fetch Test Event. */
	async fetchTestEvent(): Promise<PollOutcome> {
		return await this.run(await this.activate(), undefined, 'manual');
	}

	private async renewed(staticData: IDataObject): Promise<Active> {
		const { type: node, parameters, store: credential } = this;
		return await workflowOf(await loadCore(), { node, parameters, credential, staticData });
	}

	private async run(
		active: Active,
		budgetMs: number | undefined,
		activation: WorkflowActivateMode,
	): Promise<PollOutcome> {
		const { core } = await loadCore();
		const { workflow, node, additionalData } = active;
		const mode = activation === 'manual' ? 'manual' : 'trigger';
		const context = new core.PollContext(workflow, node, additionalData, mode, activation);
		const warnings: string[] = [];
		const warn = (...parts: unknown[]) => void warnings.push(textOf(parts));
		const logger = { warn, error: warn, info: () => {}, debug: () => {}, scoped: () => logger };
		Object.defineProperty(context, 'logger', { value: logger });
		if (this.direct) Object.assign(context.helpers, { httpRequestWithAuthentication: this.direct });
		if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
		let items: INodeExecutionData[] = [];
		let error: Error | undefined;
		try {
			const output = (await this.type.poll?.call(context)) ?? [];
			items = output?.[0] ?? [];
		} catch (thrown) {
			error = thrown instanceof Error ? thrown : new Error(String(thrown));
		}
		const stateBytes = Buffer.byteLength(JSON.stringify(workflow.staticData));
		return { items, warnings, stateBytes, ...(error ? { error } : {}) };
	}
}
