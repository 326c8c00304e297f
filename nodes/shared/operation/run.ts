import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FileStore, OperationContext } from '../answer/answer';
import { safeName } from '../answer/fileName';
import { missingHint } from '../answer/list';
import { FormValues, parametersOf } from '../form/formValues';
import { windowFields, windowOf } from '../form/period';
import type { FieldMap, ReadCompanies } from '../form/field';
import { listCompanies } from '../companies/companies';
import { companyNameOf, type KnownCompanies } from '../scope/nameOfCompany';
import { companiesOf, scopeOf, subjectOf, type ScopedCompany } from '../scope/scope';
import { mapAll, mapBounded } from '../transport/concurrency';
import { InvalidInput, isStop, ServiceError, STOPPED, toNodeError } from '../transport/errors';
import { DEFAULT_SETTINGS, Service, type ServiceSettings } from '../transport/service';
import { fileStoreOf, readUpload } from './binary';
import { errorContextOf, failedItem, failureOf, type Result } from './failures';
import { optionsOf, settingFields } from './form';
import type { Operation } from './operation';
import { checkAgentRight, checkForAgents, isTool, readForAgent } from './agents';
import { hintsOf, nothingTold, tell, tellResults, type Told } from './hints';
import { soughtOf } from './sought';
import { isEmpty, type Choice } from '../values';

/** What all items of a run share. */
interface Run {
	context: IExecuteFunctions;
	/** Opened once; if that is not possible, each item fails with the same error. */
	service: Promise<Service>;
	/** Reads the list of companies once, no matter how many items need it. */
	readCompanies: ReadCompanies;
	known: KnownCompanies;
	files: FileStore;
	/** Aborted when an item has failed and the node is to stop: then no item reads on. (Stop, of a person, is the service's signal.) */
	failed: AbortController;
	/** What is shown to the person after the run. */
	told: Told;
}

/**
 * Runs a node: each item and, within it, each company separately, so that a failure does not affect other results. Reads run
 * several at once, writes one after the other, so that the service sees them in the items' order; the output is in the
 * order of the input.
 * @throws the error of the item that failed first, unless the node continues on failure
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	if (items.length === 0) return [[]];
	const operation = operationOf(context, operations);
	if (operation instanceof InvalidInput) return [failEveryItem(context, operation)];
	const settings = await settingsOf(context, operation);
	const run = openRun(context, settings);
	const width = operation.reads ? settings.concurrency : 1;
	const outputs = await mapAll(items, width, async (_item, index) => await itemsOf(run, operation, index));
	const hints = hintsOf(run.told, operation);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return [outputs.flat()];
}

function openRun(context: IExecuteFunctions, settings: ServiceSettings): Run {
	const failed = new AbortController();
	const service = Service.open(context, settings);
	// It fails where it is awaited, by each item; without this, Node would end the process for a rejection that nobody handles.
	service.catch(() => undefined);
	const known: KnownCompanies = { asked: new Map() };
	const told = nothingTold();
	const read: ReadCompanies = async () => {
		const list = await listCompanies(await service, failed.signal);
		const missing = missingHint(list, 'The list of companies');
		if (missing) tell(told, ...missing);
		return list.records;
	};
	return {
		context,
		service,
		known,
		readCompanies: async () => await (known.listed ??= read()),
		failed,
		told,
		files: fileStoreOf(context),
	};
}

/** The index of an item for messages; undefined if there is only one. */
const shownIndex = (context: IExecuteFunctions, index: number) =>
	context.getInputData().length > 1 ? index : undefined;

/** The entry that n8n itself adds to Resource and Operation. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** The operation of all items: the form allows no expression for it. @returns the error if the node has none of that name */
function operationOf(context: IExecuteFunctions, operations: readonly Operation[]): Operation | InvalidInput {
	const [resource, value] = ['resource', 'operation'].map((name) => context.getNodeParameter(name, 0, ''));
	if ([resource, value].includes(CUSTOM_API_CALL))
		return new InvalidInput(
			"cannot be 'Custom API Call'",
			['Operation'],
			"Choose an operation from the list. For a request that is not among them, use n8n's HTTP Request node with this credential: under 'Authentication' choose 'Predefined Credential Type', then 'Security Awareness OAuth2 API'.",
		);
	const operation = operations.find((each) => each.value === value);
	return operation ?? new InvalidInput('is not one of this node', ['Operation'], 'Choose an operation from the list.');
}

/** Fails every item, because n8n passes the input on as success if a node throws and continues on errors (n8n-facts 17). */
function failEveryItem(context: IExecuteFunctions, error: InvalidInput): INodeExecutionData[] {
	const where = { purpose: 'run the node' };
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, where);
	return context.getInputData().map((_item, index) => ({ ...failedItem(error, where), pairedItem: { item: index } }));
}

/**
 * Refuses to write while n8n would run the whole node again after a failure (n8n-facts 17), and what AI agents may not do.
 * @throws InvalidInput
 */
async function checkMayRun({ context, service }: Run, operation: Operation): Promise<void> {
	const node = context.getNode();
	if (!operation.reads && node.retryOnFail === true)
		throw new InvalidInput(
			'must be off for an operation that changes something',
			['Retry On Fail'],
			"Nothing was sent. With this setting n8n runs the whole node again after a failure, so what was already done for an item would be done twice. Turn 'Retry On Fail' off in the node's settings. The node already retries whatever is safe to retry.",
		);
	if (isTool(context)) await checkAgentRight(node, operation, async () => (await service).agentsMay);
}

/** Reads an item's form. A mistake in a field is an error when the form is used. */
async function readForm(
	context: IExecuteFunctions,
	operation: Operation,
	index: number,
	fields: FieldMap = operation.form,
): Promise<FormValues> {
	const readRaw = parametersOf(context.getNode(), (name) => context.getNodeParameter(name, index));
	const isForAgent = isTool(context);
	const read = (name: string) => (isForAgent ? readForAgent(operation, name, readRaw(name)) : readRaw(name));
	return await FormValues.read(fields, read, {
		timezone: context.getTimezone(),
		upload: async (file) => await readUpload(context, index, file),
	});
}

/** The settings of the run: those of the first item. A mistake in them is that item's error, when its form is checked. */
async function settingsOf(context: IExecuteFunctions, operation: Operation): Promise<ServiceSettings> {
	const { options } = operation.form;
	const form = await readForm(context, operation, 0, options ? { options } : {});
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

/** One input item: parameters → form → companies → a result for each company → output items. */
async function itemsOf(run: Run, operation: Operation, index: number): Promise<INodeExecutionData[]> {
	const { context, told } = run;
	const where = errorContextOf(operation, shownIndex(context, index));
	const continues = context.continueOnFail();
	const given = await readForm(context, operation, index);
	try {
		const form = await checkedForm(run, operation, given);
		const scope = scopeOf(operation.scope, form);
		const companies = await companiesOf(scope, run.readCompanies, (message) => tell(told, message));
		const { length: items } = context.getInputData();
		if (scope.kind === 'every' && items > 1) told.messages.set(timesNote(items), []);
		for (const { company } of companies) if (company) told.asked.add(company.id);
		const found = await resultsOf(run, operation, form, companies, index);
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
			const company = await companyGiven(run, operation, given, index);
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
async function companyGiven(
	{ context, known }: Run,
	{ scope, form: fields }: Operation,
	form: FormValues,
	index: number,
) {
	try {
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
async function resultsOf(
	run: Run,
	operation: Operation,
	form: FormValues,
	companies: readonly ScopedCompany[],
	index: number,
): Promise<Result[]> {
	const service = await run.service;
	const outcomes = await mapBounded(
		companies,
		service.settings.concurrency,
		async (company) => await operation.run(form, operationContextOf(run, service, company, index)),
		() => service.signal?.aborted !== true,
	);
	if (service.signal?.aborted) throw new ServiceError(STOPPED);
	return outcomes.map((outcome, at) => ({ ...companies[at], outcome }));
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

function operationContextOf(run: Run, service: Service, { company, fileLabel }: ScopedCompany, index: number) {
	const { context, failed, told, known } = run;
	const input = context.getInputData()[index]?.json ?? {};
	const nameForFiles = async ({ id, name }: Choice) =>
		safeName(await companyNameOf({ id, name }, input, known, service)) || safeName(id);
	return {
		...{ service, company, input },
		timezone: context.getTimezone(),
		signal: failed.signal,
		files: run.files,
		fileLabel: async () => fileLabel ?? (company ? await nameForFiles(company) : ''),
		hint: (message, about) => tell(told, message, about, company),
		looked: (each) => void told.looked.push(each),
	} satisfies OperationContext;
}

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

const companyColumns = ({ id, name }: Choice): IDataObject => ({
	...(name === '' ? {} : { companyName: name }),
	companyResourceId: id,
});

/**
 * Names the company of an item that does not: its name in front of the fields, its ID after them. What the service sent for it is
 * kept, unless it is empty.
 */
function withColumns(json: IDataObject, columns: IDataObject): IDataObject {
	const { companyName } = columns;
	const lacking = Object.entries(columns).filter(([name]) => isEmpty(json[name]));
	return { ...(companyName === undefined ? {} : { companyName }), ...json, ...Object.fromEntries(lacking) };
}
