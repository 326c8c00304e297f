import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Produced, Session } from '../answer/answer';
import { Selection } from '../answer/selection';
import { collection } from '../form/collection';
import { FormValues } from '../form/formValues';
import { scopeOf, Targets, type ScopeChoice, type Target } from '../scope/scope';
import { mapBounded } from '../transport/concurrency';
import { InvalidInput, rethrow, ServiceError, STOPPED } from '../transport/errors';
import type { Access } from '../transport/connection';
import { toNodeError } from '../transport/nodeError';
import { DEFAULT_SETTINGS, Service, type ServiceSettings } from '../transport/service';
import { errorContextOf, failedItem, failureOf, isStop, type Share } from './failures';
import { fileStoreOf } from './files';
import { settingFields } from './form';
import type { Operation, Task } from './operation';
import { FITTING, stampOf, stamped } from './output';
import { Owners } from './owners';
import { Progress } from './progress';
import { Total } from './total';
import { readUpload } from './upload';

/** The entry that n8n itself adds to Resource and Operation. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';
const NO_CUSTOM_CALL: ConstructorParameters<typeof InvalidInput> = [
	"cannot be 'Custom API Call'",
	['Operation'],
	"Choose an operation from the list. For a request that is not among them, use n8n's HTTP Request node with this credential: under 'Authentication' choose 'Predefined Credential Type', then 'Security Awareness OAuth2 API'.",
];
const UNKNOWN: typeof NO_CUSTOM_CALL = ['is not one of this node', ['Operation'], 'Choose an operation from the list.'];

/**
 * Runs a node: each item and, within it, each company separately, so that a failure does not affect other results. Reads run
 * in parallel with a limited number of requests, writes one after the other; the output is in the order of the input.
 * @throws the first failed item's error, unless the node continues on failure
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[][]> {
	return [await new Run(context, operations).all()];
}

class Run {
	/** The operation of each item. */
	private readonly chosen: Operation[];
	private readonly progress: Progress;
	private readonly selection = new Selection();
	private readonly owners = new Owners();
	private opened: Promise<{ service: Service; targets: Targets }> | undefined;
	private service: Service | undefined;
	private targets: Targets | undefined;
	/** What the token says; read once, when the first item has its answer. */
	private access: Access | undefined;
	/** The form of the first item, which is read early because it has the settings of the run. */
	private firstForm: Promise<FormValues> | undefined;
	/** Aborted when an item has failed and the node is to stop. */
	private readonly stop = new AbortController();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: readonly Operation[],
	) {
		const items = context.getInputData();
		this.chosen = items.map((_item, index) => this.operationOf(index, items.length));
		this.progress = new Progress(context, items.length);
	}

	async all(): Promise<INodeExecutionData[]> {
		const continuesOnFail = this.context.continueOnFail();
		// A write waits for the one before it, so that the service sees them in the items' order.
		const reads = this.chosen.every((operation) => operation.reads);
		// An error in the settings is reported when an item opens the service, as the failure of that item.
		const settings = await this.settings().catch(() => DEFAULT_SETTINGS);
		let failure: { error: unknown } | undefined;
		const outcomes = await mapBounded(
			this.chosen,
			reads ? settings.concurrency : 1,
			async (operation, index) =>
				await this.item(operation, index).catch(async (error: unknown) => {
					failure ??= { error: toNodeError(this.context.getNode(), error, this.where(operation, index)) };
					// The results of the other items will not be used.
					if (!continuesOnFail) this.stop.abort();
					return await rethrow(failure.error);
				}),
			() => continuesOnFail || !failure,
		);
		const remark = this.selection.remark();
		if (remark !== undefined) this.progress.hint(remark);
		for (const each of this.owners.remarks()) this.progress.hint(each);
		this.progress.end(this.service);
		if (failure) return await rethrow(failure.error);
		const output: INodeExecutionData[] = [];
		for (const outcome of outcomes) if (outcome?.ok) for (const each of outcome.value) output.push(each);
		return output;
	}

	private operationOf(index: number, count: number): Operation {
		const [resource, value] = ['resource', 'operation'].map((name) => this.context.getNodeParameter(name, index, ''));
		const operation = this.operations.find((each) => each.value === value);
		const isCustom = [resource, value].includes(CUSTOM_API_CALL);
		if (operation && !isCustom) return operation;
		const error = isCustom ? new InvalidInput(...NO_CUSTOM_CALL) : new InvalidInput(...UNKNOWN);
		const itemIndex = count > 1 ? { itemIndex: index } : {};
		throw toNodeError(this.context.getNode(), error, { purpose: 'run the node', ...itemIndex });
	}

	/** One item: parameters → form → scope and task → targets → one share for each company → items. */
	private async item(operation: Operation, index: number): Promise<INodeExecutionData[]> {
		const prepared = await this.prepare(operation, index).catch(async (error: unknown) => {
			this.progress.items.failed++;
			return await this.failed(error, operation, index);
		});
		if ('json' in prepared) return [paired(prepared, index)];
		const { scope, task, targets } = prepared;
		const shares = await this.runTask(task, scope, targets, operation);
		if (!this.context.continueOnFail()) this.throwFailure(shares, operation, index);
		const output: INodeExecutionData[] = [];
		for (const share of shares)
			for (const each of await this.outputOf(share, scope, operation, index)) output.push(paired(each, index));
		return output;
	}

	/** Checks everything that can be checked before a request is sent, then finds the companies. */
	private async prepare(operation: Operation, index: number) {
		const form = (await (index === 0 ? this.formOfFirst() : this.formOf(operation, index))).valid();
		const asPrepared = () => ({ task: operation.task(form), scope: scopeOf(operation.scope, form) });
		const prepared = asPrepared();
		const { targets } = await this.open();
		const { scope, task } = (await form.complete(targets.lookups(operation.reads))) ? asPrepared() : prepared;
		return { scope, task, targets: await targets.of(scope) };
	}

	/** Runs a task for each company, several at once. @throws ServiceError when the run was stopped */
	private async runTask(task: Task, scope: ScopeChoice, targets: Target[], { owned }: Operation): Promise<Share[]> {
		const { service } = this;
		if (!service) throw new TypeError('The service is opened before the companies are known');
		const tally = scope.kind === 'every' ? this.progress.companies : this.progress.items;
		if (scope.kind === 'every') tally.all += targets.length;
		const total = new Total(task.most ?? Infinity);
		const shares = await mapBounded(
			targets,
			service.settings.concurrency,
			async (target, index): Promise<Share> => {
				const outcome = await task.runFor(this.session(service, target, task)).then(
					(value) => ({ ok: true as const, value }),
					(error: unknown) => ({ ok: false as const, error }),
				);
				tally[outcome.ok ? 'done' : 'failed']++;
				total.note(index, outcome.ok ? outcome.value.length : 0);
				return { target, outcome };
			},
			() => service.signal?.aborted !== true && !total.isReached,
		);
		if (service.signal?.aborted) throw new ServiceError(STOPPED);
		const all = shares.flatMap((share) => (share?.ok ? [share.value] : []));
		if (scope.kind === 'every') this.owners.compare(all, owned);
		return total.cut(all, targets.length, this.progress.hint);
	}

	private async formOf({ form }: Operation, index: number): Promise<FormValues> {
		return await FormValues.read(form, (name) => this.parameter(name, index), {
			timezone: this.context.getTimezone(),
			version: this.context.getNode().typeVersion,
			upload: async (file) => await readUpload(this.context, index, file),
		});
	}

	private async formOfFirst(): Promise<FormValues> {
		const [first] = this.chosen;
		if (!first) throw new RangeError('There is no item');
		this.firstForm ??= this.formOf(first, 0);
		return await this.firstForm;
	}

	/** A parameter's value; undefined where it is hidden, null where an expression gives nothing. */
	private parameter(name: string, index: number): unknown {
		if (!(name in this.context.getNode().parameters)) return undefined;
		return this.context.getNodeParameter(name, index) ?? null;
	}

	private async outputOf(
		{ target, outcome }: Share,
		scope: ScopeChoice,
		operation: Operation,
		index: number,
	): Promise<Item[]> {
		const stamp = this.stampOf(target, scope, operation, index);
		if (outcome.ok) {
			const own = this.owners.stampsOf(outcome.value, stamp, operation, this.targets?.known);
			const isFitting = this.context.getNode().typeVersion >= FITTING;
			return outcome.value.map(({ owner: _owner, json, ...each }, place) => ({
				...each,
				json: stamped(json, (isFitting ? own[place] : undefined) ?? stamp),
			}));
		}
		const { json } = await this.failed(outcome.error, operation, index, target);
		// On the error output n8n recognises a failed item only by `error` and `message`.
		const isSorted = this.context.getNode().onError === 'continueErrorOutput';
		return [{ json: { ...(isSorted ? {} : stamp), ...json } }];
	}

	private stampOf(target: Target, scope: ScopeChoice, { scope: kind }: Operation, index: number): IDataObject {
		this.access ??= this.service?.claims;
		if (!this.access) return {};
		const input = this.context.getInputData()[index]?.json ?? {};
		const version = this.context.getNode().typeVersion;
		return stampOf({ kind, scope, target, version, input, access: this.access });
	}

	/** The failure as an item, if the node continues on failure. @throws the failure itself otherwise */
	private async failed(thrown: unknown, operation: Operation, index: number, target?: Target): Promise<Item> {
		const where = this.where(operation, index, target);
		if (this.context.continueOnFail() && !isStop(thrown)) return failedItem(thrown, where);
		return await rethrow(toNodeError(this.context.getNode(), thrown, where));
	}

	/** Stops the node after all companies were tried. */
	private throwFailure(shares: Share[], operation: Operation, index: number): void {
		const failure = failureOf(shares, (target) => this.where(operation, index, target));
		if (!failure) return;
		const { error, target, companies } = failure;
		const nodeError = toNodeError(this.context.getNode(), error, this.where(operation, index, target));
		if (companies) Object.assign(nodeError.context, { companies });
		throw nodeError;
	}

	private where(operation: Operation, index: number, target?: Target) {
		return errorContextOf(operation, this.chosen.length > 1 ? index : undefined, target);
	}

	private session(service: Service, { company, label }: Target, { most = Infinity }: Task): Session {
		return {
			service,
			timezone: this.context.getTimezone(),
			version: this.context.getNode().typeVersion,
			most,
			signal: this.stop.signal,
			files: fileStoreOf(this.context),
			pick: this.selection.pick,
			hint: this.progress.hint,
			...(company ? { company } : {}),
			...(label === undefined ? {} : { companyLabel: label }),
		};
	}

	/** Opens the service once for the run; every item sees the same failure if that is not possible. */
	private async open() {
		this.opened ??= (async () => {
			const settings = await this.settings();
			const service = await Service.open(this.context, settings, (waitMs) => this.progress.show(service, waitMs));
			this.service = service;
			this.targets = new Targets(service, this.progress.hint);
			return { service, targets: this.targets };
		})();
		return await this.opened;
	}

	/** The settings of the run. They are the same for all items, so the first item's expressions decide. */
	private async settings(): Promise<ServiceSettings> {
		const form = await this.formOfFirst();
		const { concurrency, timeout } = form.of({
			options: collection({ displayName: 'Options', fields: settingFields }),
		}).options;
		return {
			concurrency: concurrency ?? DEFAULT_SETTINGS.concurrency,
			timeoutMs: timeout === undefined ? DEFAULT_SETTINGS.timeoutMs : timeout * 1000,
		};
	}
}

/** An item of the output without what is only known inside a run. */
type Item = Omit<Produced, 'owner'>;

const paired = (item: Item, index: number): INodeExecutionData => ({
	...item,
	pairedItem: { item: index },
});
