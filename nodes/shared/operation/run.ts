import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { pickBy } from 'lodash';
import { z } from 'zod';

import type { FileStore, Produced, Session } from '../answer/answer';
import { collection } from '../form/collection';
import { labelsOf, valuesOf, type ItemContext } from '../form/field';
import { readScope, Targets, type ScopeChoice, type Target } from '../scope/scope';
import { mapBounded, type Outcome } from '../transport/concurrency';
import { describeError, toNodeError, type ErrorContext } from '../transport/nodeError';
import { asError, InvalidInput, ServiceError, STOPPED } from '../transport/errors';
import { DEFAULT_SETTINGS, Service } from '../transport/service';
import type { Operation } from './define';
import { joinFirst } from '../transport/joinFirst';
import { formOf, settingsOf } from './properties';
import { readUpload } from './upload';

/** What n8n puts behind the entries of Resource and Operation by itself. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';
const NO_CUSTOM_CALL: ConstructorParameters<typeof InvalidInput> = [
	"cannot be 'Custom API Call'",
	['Operation'],
	"Choose an operation from the list. For a request that is not among them, use n8n's HTTP Request node with this credential: under 'Authentication' choose 'Predefined Credential Type', then 'Security Awareness OAuth2 API'.",
];

/** One company's share of an item. */
interface Share {
	target: Target;
	outcome: Outcome<Produced[]>;
}

/**
 * Runs a node: every item, and within it every company, each on its own, so that no failure costs another's result.
 * Reads run side by side within one budget of requests, writes one after the other; the output is in input order.
 * @throws the first failed item's error, unless the node continues on failure
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[][]> {
	return [await new Run(context, operations).all()];
}

class Run {
	private readonly items: INodeExecutionData[];
	private readonly hints = new Set<string>();
	private readonly startedAt = Date.now();
	private toldAt = this.startedAt;
	private opened: Promise<{ service: Service; targets: Targets }> | undefined;
	private service: Service | undefined;
	/** Aborted when an item has failed and the node is to stop. */
	private readonly stop = new AbortController();
	private readonly companies = { all: 0, done: 0, failed: 0 };
	private readonly ownItems = { all: 0, done: 0, failed: 0 };

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: readonly Operation[],
	) {
		this.items = context.getInputData();
		this.ownItems.all = this.items.length;
	}

	async all(): Promise<INodeExecutionData[]> {
		const goesOn = this.context.continueOnFail();
		const chosen = this.items.map((_item, index) => this.operationOf(index));
		// A write waits for the one before it, so that the service sees them in the items' order.
		const reads = chosen.every((operation) => operation.reads);
		// What is wrong with the settings is told where an item opens the service, so that it is that item's failure.
		const settings = await this.settings().catch(() => DEFAULT_SETTINGS);
		const width = reads ? settings.concurrency : 1;
		let failure: { error: unknown } | undefined;
		const outcomes = await mapBounded(
			chosen,
			width,
			async (operation, index) => {
				const output = await this.item(operation, index).catch((error: unknown) => {
					failure ??= { error: this.nodeError(error, operation, index) };
					// Nobody will see what the others read.
					if (!goesOn) this.stop.abort();
					return Promise.reject(asError(failure.error));
				});
				return output;
			},
			() => goesOn || !failure,
		);
		this.showHints();
		if (failure) return await Promise.reject(asError(failure.error));
		const output: INodeExecutionData[] = [];
		for (const outcome of outcomes) if (outcome?.ok) for (const each of outcome.value) output.push(each);
		return output;
	}

	private operationOf(index: number): Operation {
		const [resource, value] = ['resource', 'operation'].map((name) => this.context.getNodeParameter(name, index, ''));
		const operation = this.operations.find((each) => each.value === value);
		const isCustom = [resource, value].includes(CUSTOM_API_CALL);
		if (operation && !isCustom) return operation;
		throw toNodeError(
			this.context.getNode(),
			isCustom
				? new InvalidInput(...NO_CUSTOM_CALL)
				: new InvalidInput('is not one of this node', ['Operation'], 'Choose an operation from the list.'),
			{ purpose: 'run the node', ...(this.items.length > 1 ? { itemIndex: index } : {}) },
		);
	}

	/** One item, for whomever it is meant. Throws only where nothing may follow. */
	private async item(operation: Operation, index: number): Promise<INodeExecutionData[]> {
		const prepared = await this.prepare(operation, index).catch((error: unknown) => {
			this.ownItems.failed++;
			return this.failedItem(error, this.place(operation, index));
		});
		if ('json' in prepared) return [this.paired(prepared, index)];
		const { targets, work, scope } = prepared;
		const { service } = await this.open();
		const tally = scope.kind === 'every' ? this.companies : this.ownItems;
		if (scope.kind === 'every') tally.all += targets.length;
		const shares = await mapBounded(
			targets,
			service.settings.concurrency,
			async (target): Promise<Share> => {
				const outcome = await work(this.session(service, target)).then(
					(value) => ({ ok: true as const, value }),
					(error: unknown) => ({ ok: false as const, error }),
				);
				tally[outcome.ok ? 'done' : 'failed']++;
				return { target, outcome };
			},
			() => service.signal?.aborted !== true,
		);
		const done = shares.flatMap((share) => (share?.ok ? [share.value] : []));
		if (service.signal?.aborted) throw new ServiceError(STOPPED);
		if (!this.context.continueOnFail()) this.throwFailures(done, operation, index);
		return done.flatMap((share) => this.output(share, scope, operation, index));
	}

	/** Checks everything that can be checked, then finds out for whom. */
	private async prepare(operation: Operation, index: number) {
		const item: ItemContext = {
			timezone: this.context.getTimezone(),
			upload: async (file) => await readUpload(this.context, index, file),
		};
		const read = async <F extends Parameters<typeof valuesOf>[0]>(fields: F) =>
			await valuesOf<F>(fields, (name) => this.parameter(name, index), item);
		const scope = await readScope(operation.scope, read);
		const work = await operation.prepare(read);
		const { targets } = await this.open();
		return { scope, work, targets: await targets.of(scope) };
	}

	/** A parameter's value; undefined where it is hidden, null where an expression gives nothing. */
	private parameter(name: string, index: number): unknown {
		if (!(name in this.context.getNode().parameters)) return undefined;
		return this.context.getNodeParameter(name, index) ?? null;
	}

	private output(
		{ target, outcome }: Share,
		scope: ScopeChoice,
		operation: Operation,
		index: number,
	): INodeExecutionData[] {
		const { company } = target;
		const stamp: IDataObject =
			scope.kind === 'every' && company ? { companyName: company.name, companyResourceId: company.id } : {};
		if (outcome.ok)
			return outcome.value.map(({ json, binary }) =>
				this.paired({ json: stamped(json, stamp), ...(binary ? { binary } : {}) }, index),
			);
		const failed = this.failedItem(outcome.error, this.place(operation, index, target));
		// On the error output n8n takes nothing but `error` and `message` for a failed item.
		const isSorted = this.context.getNode().onError === 'continueErrorOutput';
		return [this.paired({ json: { ...(isSorted ? {} : stamp), ...failed.json } }, index)];
	}

	private paired(item: Produced, index: number): INodeExecutionData {
		return { ...item, pairedItem: { item: index } };
	}

	/** What went wrong as an item, if the node continues on failure. @throws the failure itself otherwise */
	private failedItem(thrown: unknown, place: ErrorContext): { json: IDataObject } {
		if (!this.context.continueOnFail() || isStop(thrown)) throw toNodeError(this.context.getNode(), thrown, place);
		const { message, description, httpCode } = describeError(thrown, place);
		const { company } = place;
		return {
			json: {
				error: {
					message,
					description,
					...(httpCode === undefined ? {} : { httpCode }),
					...(company ? { companyResourceId: company.id, companyName: company.name } : {}),
				},
				message,
			},
		};
	}

	/** Stops the node after all companies had their turn: names those that failed and those that worked. */
	private throwFailures(shares: Share[], operation: Operation, index: number): void {
		const failed = shares.filter(({ outcome }) => !outcome.ok);
		const [first] = failed;
		if (!first || first.outcome.ok) return;
		const { error } = first.outcome;
		if (shares.length === 1)
			throw toNodeError(this.context.getNode(), error, this.place(operation, index, first.target));
		const worked = shares.filter(({ outcome }) => outcome.ok).map(({ target }) => nameOf(target));
		const told = failed.flatMap(({ target, outcome }) =>
			outcome.ok ? [] : [describeError(outcome.error, this.place(operation, index, target))],
		);
		const paragraphs = [
			joinFirst(
				told.map(({ message }) => message),
				'\n',
			),
			// Most fail for one reason, so what to do is said once.
			joinFirst([...new Set(told.map(({ description }) => description))], '\n'),
			worked.length === 0
				? ''
				: `It worked for ${worked.length}: ${joinFirst(worked)}. To keep their results, set 'On Error' in the node's settings to 'Continue' or 'Continue (using error output)'.`,
		];
		const { cause, status } =
			error instanceof ServiceError ? error.details : { cause: 'refused' as const, status: undefined };
		const problem = new ServiceError({
			reason: `${failed.length} of ${shares.length} companies did not work: ${joinFirst(failed.map(({ target }) => nameOf(target)))}`,
			advice: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'),
			cause,
			mayHaveBeenApplied: true,
			transient: false,
			...(status === undefined ? {} : { status }),
		});
		const nodeError = toNodeError(this.context.getNode(), problem, this.place(operation, index));
		const companies = {
			failed: failed.map(({ target }) => target.company?.id),
			succeeded: shares.flatMap(({ target, outcome }) => (outcome.ok ? [target.company?.id] : [])),
		};
		Object.assign(nodeError.context, { companies });
		throw nodeError;
	}

	private place(operation: Operation, index: number, target: Target = {}): ErrorContext {
		return {
			purpose: operation.purpose,
			labels: (path) => labelsOf(formOf(operation), path),
			...(this.items.length > 1 ? { itemIndex: index } : {}),
			...(target.company ? { company: target.company } : {}),
		};
	}

	private nodeError(error: unknown, operation: Operation, index: number) {
		return toNodeError(this.context.getNode(), error, this.place(operation, index));
	}

	private session(service: Service, { company, label }: Target): Session {
		return {
			service,
			timezone: this.context.getTimezone(),
			signal: this.stop.signal,
			files: this.files,
			hint: (message) => this.hints.add(message),
			...(company ? { company } : {}),
			...(label === undefined ? {} : { companyLabel: label }),
		};
	}

	/** Opens the service once for the run; every item sees the same failure if that is not possible. */
	private async open() {
		this.opened ??= (async () => {
			const service = await Service.open(this.context, await this.settings(), (waitMs) => this.tellProgress(waitMs));
			this.service = service;
			return { service, targets: new Targets(service, (message) => this.hints.add(message)) };
		})();
		return await this.opened;
	}

	/** The settings of the run. They are one for all items, so the first item's expressions decide. */
	private async settings() {
		const first = 0;
		const { options } = await valuesOf(
			{ options: collection({ displayName: 'Options', fields: settingsOf }) },
			(name) => this.parameter(name, first),
			{ timezone: this.context.getTimezone(), upload: async (file) => await readUpload(this.context, first, file) },
		);
		return {
			concurrency: options.concurrency ?? DEFAULT_SETTINGS.concurrency,
			timeoutMs: options.timeout === undefined ? DEFAULT_SETTINGS.timeoutMs : options.timeout * 1000,
		};
	}

	private readonly files: FileStore = {
		store: async (stream, fileName, mimeType) => {
			const { prepareBinaryData, getBinaryMetadata } = this.context.helpers;
			// n8n's store takes any readable stream; what arrived with encoding 'stream' is one.
			const binary = await prepareBinaryData(stream as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
			return { binary, bytes: await sizeOf(binary, getBinaryMetadata) };
		},
	};

	/** How far the run is. */
	private get progress(): string {
		const { all, done, failed } = this.companies.all > 0 ? this.companies : this.ownItems;
		const { requests = 0, repeats = 0 } = this.service ?? {};
		const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1);
		return [
			...(this.companies.all > 0 || all > 1
				? [`${done} of ${all} ${this.companies.all > 0 ? 'companies' : 'items'} done, ${failed} failed.`]
				: []),
			`Requests: ${requests}, of which ${repeats} had to be repeated.`,
			`Time: ${seconds} seconds.`,
		].join(' ');
	}

	/** Tells the browser's console of a manual run, now and then, how far it is. */
	private tellProgress(waitMs: number) {
		if (Date.now() - this.toldAt < TELL_EVERY_MS) return;
		this.toldAt = Date.now();
		const waiting = waitMs < 1000 ? '' : ` The next try is in ${Math.round(waitMs / 1000)} seconds.`;
		this.context.sendMessageToUI(this.progress + waiting);
	}

	/** Says after the run how it went, where that is not plain from the output. */
	private showHints() {
		if (this.companies.all > 0 || (this.service && Date.now() - this.startedAt >= LONG_MS))
			this.hints.add(this.progress);
		const hints = [...this.hints].map((message) => ({ message, location: 'outputPane' as const }));
		if (hints.length > 0) this.context.addExecutionHints(...hints);
	}
}

/** How often a person is told how far a run is, and from when on a run is worth a word of how long it took. */
const TELL_EVERY_MS = 2000;
const LONG_MS = 5000;

const isStop = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.cause === 'cancelled';

/** For whom comes first in a table. What the service itself says of it is never overwritten; where it left it open, it is filled in. */
function stamped(json: IDataObject, stamp: IDataObject): IDataObject {
	const isLeftOpen = (name: string) => json[name] === undefined || json[name] === null || json[name] === '';
	return { ...stamp, ...json, ...pickBy(stamp, (value, name) => value !== '' && isLeftOpen(name)) };
}

const nameOf = ({ company }: Target) => company?.name || company?.id || '';

const sizeShape = z.object({ bytes: z.number() });

/** A stored file's size in bytes. n8n 1.123 gives none beside the file, so its store is asked, or the data counted. */
async function sizeOf(binary: IBinaryData, metadataOf: (id: string) => Promise<{ fileSize: number }>): Promise<number> {
	const told = sizeShape.safeParse(binary);
	if (told.success) return told.data.bytes;
	if (binary.id !== undefined) return (await metadataOf(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
