import { NodeApiError, NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { FormValues, parametersOf } from '../fields/formValues';
import { windowFields, windowOf } from '../fields/period';
import type { FieldMap, ItemContext } from '../fields/field';
import { companyNameOf } from '../companyScope/companyName';
import { companiesOf, scopeOf, subjectOf, type ScopeChoice, type ScopedCompany } from '../companyScope/companyScope';
import { mapAll, mapBounded, settle, type Outcome } from '../http/concurrency';
import { asError, InvalidInput, isStop, rethrow, ServiceError, STOPPED, toNodeError } from '../http/errors';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../http/client';
import { readUpload } from './binaryFiles';
import { companyColumns, withColumns } from './companyColumns';
import { errorContextOf, failedItem, failureOf, type Result } from './failures';
import { optionsOf, settingFields } from '../operation/operationFields';
import type { Operation } from '../operation/defineOperation';
import { checkForAgents, isTool, readForAgent } from './aiTool';
import { hintsOf, tell, tellResults } from './hints';
import { checkMayRun, findOperation } from './checkMayRun';
import { openRun, type Run } from './openRun';
import { operationContextOf, addKnownName } from './operationContext';
import { soughtOf } from './searchSummary';
import { isEmpty, isRecord, plural, type Choice } from '../values';

/**
 * Runs a node: each item and, within it, each company separately, so that a failure does not affect other results. Reads run
 * several at once. Writes are all checked first. Then they run one after the other, so that the service receives them in the items'
 * order. The output is in the order of the input.
 * @throws the error of the item that failed first, unless the node continues on failure
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	if (items.length === 0) return [[]];
	const operation = findOperation(context, operations);
	if (operation instanceof InvalidInput) return [failEveryItem(context, operation)];
	const settings = await settingsOf(context, operation);
	const run = openRun(context, settings, operation);
	const outputs = operation.reads
		? await mapAll(items, settings.concurrency, async (_item, index) => readItem(run, operation, index))
		: await writeItems(run, operation, settings.concurrency);
	const hints = hintsOf(run.told, operation);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return [outputs.flat()];
}

/** The index of an item for messages; undefined if there is only one. */
const shownIndex = (context: IExecuteFunctions, index: number) =>
	context.getInputData().length > 1 ? index : undefined;

/** Fails every item separately. If a node that continues on errors throws, n8n passes the input on as success (n8n-facts 17). */
function failEveryItem(context: IExecuteFunctions, error: InvalidInput): INodeExecutionData[] {
	const where = { purpose: 'run the node' };
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, where);
	return context.getInputData().map((_item, index) => ({ ...failedItem(error, where), pairedItem: { item: index } }));
}

/**
 * Reads an item's form. A mistake in a field is an error when the form is used.
 * @param only.fields the fields to read; by default all fields of the operation
 * @param only.upload reads a file of the item; by default it is only checked that the file exists
 */
async function readForm(
	context: IExecuteFunctions,
	operation: Operation,
	index: number,
	only: { fields?: FieldMap; upload?: ItemContext['upload'] } = {},
): Promise<FormValues> {
	const { fields = operation.form, upload = async (file) => readUpload(context, index, file, false) } = only;
	const node = context.getNode();
	const readRaw = parametersOf(node, (name) => context.getNodeParameter(name, index));
	const isForAgent = isTool(context);
	const read = (name: string) =>
		isForAgent ? readForAgent(operation, name, readRaw(name), node.parameters[name]) : readRaw(name);
	return await FormValues.read(fields, read, {
		timezone: context.getTimezone(),
		isWrite: !operation.reads,
		upload,
	});
}

/** The settings of the run: those of the first item. A mistake in them is that item's error, when its form is checked. */
async function settingsOf(context: IExecuteFunctions, operation: Operation): Promise<ServiceSettings> {
	const { options } = operation.form;
	const form = await readForm(context, operation, 0, { fields: options ? { options } : {} });
	try {
		const { concurrency, timeout } = form.of(optionsOf(settingFields)).options;
		return {
			concurrency: concurrency ?? DEFAULT_SETTINGS.concurrency,
			timeoutMs: timeout === undefined ? DEFAULT_SETTINGS.timeoutMs : timeout * 1000,
		};
	} catch {
		return DEFAULT_SETTINGS;
	}
}

/** An input item after its checks: its form, and the companies that it runs for. */
interface PreparedItem {
	form: FormValues;
	scope: ScopeChoice;
	companies: ScopedCompany[];
	/** True if the form names a file. Its content is not read while the item is checked. */
	hasFile: boolean;
	/** The form with the IDs of each company, in the order of `companies`; undefined if they were not looked up during the check. */
	forms?: Array<Outcome<FormValues>>;
}

/** Reads and checks an item, and finds its companies. @param isRead whether to read its files @throws InvalidInput, ServiceError */
async function prepareItem(run: Run, operation: Operation, index: number, isRead: boolean): Promise<PreparedItem> {
	const { context, told } = run;
	let hasFile = false;
	const upload: ItemContext['upload'] = async (file) => {
		hasFile = true;
		return await readUpload(context, index, file, isRead);
	};
	const read = await readForm(context, operation, index, { upload });
	const form = await checkedForm(run, operation, read);
	const scope = scopeOf(operation.scope, form);
	const hint = (message: string) => tell(told, message);
	const companies = await companiesOf(scope, run.readCompanies, hint, context.getTimezone());
	return { form, scope, companies, hasFile };
}

/** Checks and runs one item of an operation that reads. */
async function readItem(run: Run, operation: Operation, index: number): Promise<INodeExecutionData[]> {
	return await itemsOf(run, operation, index, await settle(prepareItem(run, operation, index, true)));
}

/**
 * Runs all items of an operation that writes. Before the first write, every item is checked, and its names and choices are looked up.
 * @throws the error of a wrong item before anything is written, unless the node continues on failure
 */
async function writeItems(run: Run, operation: Operation, width: number): Promise<INodeExecutionData[][]> {
	const items = run.context.getInputData();
	const checkedItems = await mapAll(items, width, async (_item, index) => {
		const outcome = await settle(prepareWrite(run, operation, index, false));
		const isWrong = !outcome.ok || outcome.value.forms?.some(({ ok }) => !ok);
		// A wrong item is never written: this call only throws its error for the user.
		if (isWrong && !run.context.continueOnFail())
			await itemsOf(run, operation, index, outcome).catch((error: unknown) => {
				throw tellNotWritten(error, items.length);
			});
		return outcome;
	});
	return await mapAll(items, 1, async (_item, index) => {
		const checked = checkedItems[index] ?? (await settle(prepareWrite(run, operation, index, true)));
		const hasFile = checked.ok && checked.value.hasFile;
		const outcome = hasFile ? await settle(prepareWrite(run, operation, index, true)) : checked;
		try {
			return await itemsOf(run, operation, index, outcome);
		} catch (error) {
			throw tellWritten(error, index);
		}
	});
}

/** Adds to the error of a write that no item was written, where there are several. */
const tellNotWritten = (error: unknown, count: number): Error =>
	addToError(error, count > 1 ? 'All items are checked first: nothing was written for any of them.' : '');

/** Adds to the error of a write that earlier items were written: whoever runs the node again would write them twice. */
function tellWritten(error: unknown, written: number): Error {
	const items = `${plural(written, 'item')} before this one ${written === 1 ? 'was' : 'were'}`;
	return addToError(
		error,
		written > 0 ? `The ${items} already carried out: run the node again with the others only.` : '',
	);
}

/** Adds a sentence to the description of an error that n8n shows. */
function addToError(error: unknown, sentence: string): Error {
	if (error instanceof NodeApiError || error instanceof NodeOperationError)
		error.description = `${error.description ?? ''} ${sentence}`.trim();
	return asError(error);
}

/** Prepares an item of a write: `prepareItem`, then names and choices are looked up at each company. */
async function prepareWrite(run: Run, operation: Operation, index: number, isRead: boolean): Promise<PreparedItem> {
	const item = await prepareItem(run, operation, index, isRead);
	const lookUps = item.companies.map(async (scoped) => settle(lookUp(run, operation, item, scoped, index)));
	return { ...item, forms: await Promise.all(lookUps) };
}

/** Looks up names and choices of an item at one company. @returns the form with that company's IDs @throws InvalidInput, ServiceError */
async function lookUp(
	run: Run,
	operation: Operation,
	{ form }: PreparedItem,
	scoped: ScopedCompany,
	index: number,
): Promise<FormValues> {
	const { parameters, failed } = run;
	const service = await run.service;
	const company = await addKnownName(run, scoped, index);
	return await form.lookedUp({
		service: () => Promise.resolve(service),
		company: () => Promise.resolve(company),
		signal: failed.signal,
		isVariable: (field) => isExpression(parameters[field]),
		isWrite: !operation.reads,
	});
}

/** Returns true if a saved parameter has an expression, which is a text that begins with "=": its value may differ from item to item. */
const isExpression = (saved: unknown): boolean =>
	isRecord(saved) ? Object.values(saved).some(isExpression) : typeof saved === 'string' && saved.startsWith('=');

/** Runs an item after its checks for each of its companies. @returns the output items */
async function itemsOf(
	run: Run,
	operation: Operation,
	index: number,
	prepared: Outcome<PreparedItem>,
): Promise<INodeExecutionData[]> {
	const { context, told } = run;
	const where = errorContextOf(operation, shownIndex(context, index));
	const continues = context.continueOnFail();
	try {
		const item = prepared.ok ? prepared.value : await rethrow(prepared.error);
		const { form, scope, companies } = item;
		const { length: items } = context.getInputData();
		if (scope.kind === 'every' && items > 1) told.messages.set(timesNote(items), []);
		for (const { company } of companies) if (company) told.asked.add(company.id);
		const found = await resultsOf(run, operation, item, index);
		const subject = subjectOf(operation.scope, operation.form, form);
		// Those of every company have the names of the list.
		const results = scope.kind === 'every' ? found : await withNames(run, index, found, subject);
		const failure = continues ? undefined : failureOf(results, where);
		if (failure)
			throw toNodeError(context.getNode(), failure.error, { ...where, company: subject ? undefined : failure.company });
		tellResults(told, index, results, operation.reads ? soughtOf(operation, form, context.getTimezone()) : undefined);
		return results.flatMap((result) => outputOf(context, operation, result, index));
	} catch (error) {
		if (continues && !isStop(error)) {
			const company = await companyGiven(run, operation, index);
			const result: Result = { ...(company ? { company } : {}), outcome: { ok: false, error } };
			tellResults(told, index, [result]);
			return outputOf(context, operation, result, index);
		}
		// The results of the other items will not be used.
		run.failed.abort();
		throw toNodeError(context.getNode(), error, where);
	}
}

/** A list in front of a node for every company is seldom meant: it multiplies. */
const timesNote = (items: number) =>
	`Every customer was asked ${items} times, once for each input item. If once is enough, switch on 'Execute Once' in the node's settings.`;

/** The company that the form of an item names, which failed before it was asked: what is known of it without a request. */
async function companyGiven({ context, known }: Run, operation: Operation, index: number) {
	const { scope, form: fields } = operation;
	try {
		const form = await readForm(context, operation, index);
		const chosen = scopeOf(scope, form);
		const company = chosen.kind === 'one' ? chosen.company : subjectOf(scope, fields, form);
		return company && { ...company, name: await companyNameOf(company, context.getInputData()[index]?.json, known) };
	} catch {
		return undefined;
	}
}

/** An item's form, after everything was checked that can be checked before a request. @throws InvalidInput, ServiceError */
async function checkedForm(run: Run, operation: Operation, given: FormValues): Promise<FormValues> {
	await checkMayRun(run, operation);
	const form = given.valid();
	// Only for their errors: a form without a company, values that are wrong in combination.
	scopeOf(operation.scope, form);
	if ('period' in operation.form) windowOf(form.of(windowFields), run.context.getTimezone());
	operation.check(form);
	if (isTool(run.context)) checkForAgents(operation, form);
	// A company that was entered by name is looked up last, because that is a request.
	return await form.resolved(run.readCompanies);
}

/** Runs an operation for each company, several at once. @throws ServiceError when the run was stopped */
async function resultsOf(run: Run, operation: Operation, item: PreparedItem, index: number): Promise<Result[]> {
	const { companies, forms } = item;
	const service = await run.service;
	/** For each company what could not be read, although the rest was. */
	const unread = companies.map((): ServiceError[] => []);
	const outcomes = await mapBounded(
		companies,
		service.settings.concurrency,
		async (scoped, at) => {
			const known = forms?.[at] ?? (await settle(lookUp(run, operation, item, scoped, index)));
			const form = known.ok ? known.value : await rethrow(known.error);
			return await operation.run(form, await operationContextOf(run, service, scoped, index, unread[at] ?? []));
		},
		() => service.signal?.aborted !== true,
	);
	if (service.signal?.aborted) throw new ServiceError(STOPPED);
	return outcomes.flatMap((outcome, at): Result[] => {
		const failures = outcome.ok ? (unread[at] ?? []) : [];
		return [outcome, ...failures.map((error): Result['outcome'] => ({ ok: false, error }))].map((part) => ({
			...companies[at],
			outcome: part,
		}));
	});
}

/** The results with the names of their companies, where an item or an error needs one. @throws ServiceError when the run was stopped */
async function withNames(run: Run, index: number, results: Result[], subject?: Choice): Promise<Result[]> {
	const input = run.context.getInputData()[index]?.json;
	const service = await run.service;
	return await Promise.all(
		results.map(async (result) => {
			const { outcome } = result;
			const { company = subject } = result;
			const isNamed =
				outcome.ok && outcome.value.length > 0 && outcome.value.every(({ json }) => !isEmpty(json.companyName));
			if (!company || isNamed) return { ...result, company };
			// Nobody waits for the name of one without items; of one that is asked for itself there is no other to ask for.
			const mayAsk = outcome.ok ? outcome.value.length > 0 : !!result.company && isAnswered(outcome.error);
			const name = await companyNameOf(company, input, run.known, mayAsk ? service : undefined);
			return { ...result, company: { ...company, name } };
		}),
	);
}

/** Whether the service answered, and did not refuse the access: then it can be asked for a name. */
const isAnswered = (error: unknown) => {
	const { status = 0 } = error instanceof ServiceError ? error.details : {};
	return status >= 400 && status !== 401 && status !== 403;
};

/** The items of a result: what came out, with the company's columns, or the failure. */
function outputOf(
	context: IExecuteFunctions,
	operation: Operation,
	{ company, outcome }: Result,
	index: number,
): INodeExecutionData[] {
	const pairedItem = { item: index };
	const columns = company ? companyColumns(company) : {};
	if (outcome.ok)
		return outcome.value.map(({ json, ...each }) => ({ ...each, json: withColumns(json, columns), pairedItem }));
	// What is about a company names it in its own words if it fails.
	const ofCompany = operation.scope === 'credential' ? undefined : company;
	const { json } = failedItem(outcome.error, errorContextOf(operation, shownIndex(context, index), ofCompany));
	// n8n moves an item to the error output only if it has nothing but `error` and `message` (n8n-facts 10).
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return [{ json: hasErrorOutput ? json : { ...columns, ...json }, pairedItem }];
}
