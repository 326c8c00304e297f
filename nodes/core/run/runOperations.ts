import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { OutputItem } from '../response/responseHandler';
import { addAccessWindowEnd } from '../companies/accessWindow';
import { readAffectedCompany } from '../companyScope/companyScope';
import { mapConcurrently, settleConcurrently, settle, type SettledResult } from '../http/mapConcurrently';
import {
	toError,
	InvalidInputError,
	isCancellationError,
	RequestError,
	RUN_STOPPED,
	toNodeError,
} from '../http/errors';
import type { HttpClient } from '../http/client';
import type { NodeResource } from '../operation/nodeResource';
import { findOperation } from './findOperation';
import {
	addNothingWrittenNote,
	addWrittenItemsNote,
	combineFailures,
	createErrorContext,
	type CompanyResult,
} from './failures';
import { buildHints, addGeneralHint, addResults } from './hints';
import { openRun, type Run } from './openRun';
import { createOperationContext } from './operationContext';
import { addCompanyNames, buildOutputItems, completeErrorItems, failEveryItem } from './outputItems';
import {
	findCompanyInForm,
	prepareItem,
	prepareWrite,
	resolveNames,
	type CompanyWithForm,
	type PreparedItem,
} from './prepareItem';
import { readSettings } from './readForm';
import { summarizeSearch } from './searchSummary';

/**
 * Runs the selected operation of a node for all input items, when n8n calls the node's `execute`. Each input item has a form, in which one
 * or more companies are selected. The operation sends its requests for each company, and the responses become output items.
 *
 * If the operation changes nothing, several items run at once. Otherwise all items are checked first, and then run one after the other.
 * If the node continues on failure, a failure of one item or company doesn't affect the others. The output is in the order of the input.
 * @throws the error of the item that failed first, unless the node continues on failure
 */
export async function runOperations(
	context: IExecuteFunctions,
	resources: readonly NodeResource[],
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const selectedOperation = findOperation(context, resources);
	if (selectedOperation instanceof InvalidInputError) return [failEveryItem(context, selectedOperation)];

	const { operation } = selectedOperation;
	const run = openRun(context, selectedOperation, await readSettings(context, operation));
	const outputsByItem = operation.isReadOnly ? await runReads(run) : await runWrites(run);

	await completeErrorItems(run);
	const hints = buildHints(run.hints, operation, run.inputItems.length);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return [outputsByItem.flat()];
}

/** Runs a read operation for all input items, several at once. @returns the output items of each input item */
async function runReads(run: Run): Promise<INodeExecutionData[][]> {
	return await mapConcurrently(run.inputItems, run.settings.concurrency, async (_inputItem, itemIndex) => {
		const preparation = await settle(prepareItem(run, itemIndex, { shouldReadFiles: true }));
		return await runItem(run, itemIndex, preparation);
	});
}

/** Runs a write operation for all input items, one after the other. @returns the output items of each input item */
async function runWrites(run: Run): Promise<INodeExecutionData[][]> {
	const checkedItems = await checkAllWrites(run);
	const outputsByItem: INodeExecutionData[][] = [];
	for (const [itemIndex, checkedItem] of checkedItems.entries()) {
		// The check didn't read the content of files, so an item with a file is prepared again with its content.
		const hasUnreadFile = checkedItem.ok && checkedItem.value.hasFile;
		const preparation = hasUnreadFile
			? await settle(prepareWrite(run, itemIndex, { shouldReadFiles: true }))
			: checkedItem;
		try {
			outputsByItem.push(await runItem(run, itemIndex, preparation));
		} catch (error) {
			throw addWrittenItemsNote(error, itemIndex);
		}
	}
	return outputsByItem;
}

/**
 * Checks all input items of a write operation, before the first change is sent.
 * @throws the error of an item with a mistake, unless the node continues on failure
 */
async function checkAllWrites(run: Run): Promise<Array<SettledResult<PreparedItem>>> {
	const { context, inputItems, settings } = run;
	return await mapConcurrently(inputItems, settings.concurrency, async (_inputItem, itemIndex) => {
		const preparation = await settle(prepareWrite(run, itemIndex, { shouldReadFiles: false }));
		const hasMistake = !preparation.ok || preparation.value.companies.some(({ form }) => form?.ok === false);
		if (hasMistake && !context.continueOnFail()) {
			try {
				// This call doesn't write an item with a mistake. It only turns the mistake into the error that the user sees.
				await runItem(run, itemIndex, preparation);
			} catch (error) {
				throw addNothingWrittenNote(error, inputItems.length);
			}
		}
		return preparation;
	});
}

/**
 * Runs one input item for all of its companies.
 * @param preparation the prepared item, or the error of its preparation
 * @returns the output items. If the node continues on failure, errors are output items too.
 * @throws NodeApiError, NodeOperationError
 */
async function runItem(
	run: Run,
	itemIndex: number,
	preparation: SettledResult<PreparedItem>,
): Promise<INodeExecutionData[]> {
	const { context, operation, hints } = run;
	const shouldContinueOnFail = context.continueOnFail();
	const errorContext = createErrorContext(run, itemIndex);
	try {
		if (!preparation.ok) throw toError(preparation.error);
		const item = preparation.value;
		addCompaniesToHints(run, item);
		const resultsWithoutNames = await runForCompanies(run, item);
		const affectedCompany = readAffectedCompany(operation.scope, operation.fields, item.form);
		const results = await addCompanyNames(run, item, resultsWithoutNames, affectedCompany);

		const failure = shouldContinueOnFail ? undefined : combineFailures(results, errorContext);
		if (failure) {
			// If the operation has no company scope, the error already names the affected company.
			const company = affectedCompany ? undefined : failure.company;
			throw toNodeError(context.getNode(), failure.error, { ...errorContext, company });
		}
		const outputItems = results.flatMap(({ outcome }) => (outcome.ok ? outcome.value : []));
		operation.completeOutput?.(outputItems, (message) => addGeneralHint(hints, message), item.scope.kind);
		const searchSummary = operation.isReadOnly
			? summarizeSearch(operation, item.form, context.getTimezone())
			: undefined;
		addResults(hints, itemIndex, results, searchSummary);
		return results.flatMap((result) => buildOutputItems(run, itemIndex, result));
	} catch (error) {
		if (shouldContinueOnFail && !isCancellationError(error)) {
			const company = await findCompanyInForm(run, itemIndex);
			const result: CompanyResult = { company, outcome: { ok: false, error } };
			addResults(hints, itemIndex, [result]);
			return buildOutputItems(run, itemIndex, result);
		}
		// The node fails, so the reads of the other items are cancelled.
		run.failureController.abort();
		throw toNodeError(context.getNode(), error, errorContext);
	}
}

/**
 * Adds an item's companies to the data for hints. Also adds a hint if several items run for every company, because that is seldom
 * intended.
 */
function addCompaniesToHints({ hints, inputItems }: Run, { scope, companies }: PreparedItem): void {
	if (scope.kind === 'every' && inputItems.length > 1)
		addGeneralHint(
			hints,
			`The node ran ${inputItems.length} times for every customer, once for each input item. If once is enough, turn on 'Execute Once' in the node's settings.`,
		);
	for (const { company } of companies) if (company) hints.companyIds.add(company.id);
}

/** Runs the operation for each company of an item, several at once. @throws RequestError if the user stopped the run */
async function runForCompanies(run: Run, item: PreparedItem): Promise<CompanyResult[]> {
	const client = await run.client;
	const isStopped = () => client.stopSignal?.aborted === true;
	const settledOutputs = await settleConcurrently(
		item.companies,
		client.settings.concurrency,
		async (company) => runWithAccessCheck(run, client, item, company),
		() => !isStopped(),
	);
	if (isStopped()) throw new RequestError(RUN_STOPPED);
	return settledOutputs.flatMap((output, companyIndex): CompanyResult[] => {
		const company = item.companies[companyIndex]?.company;
		if (!output.ok) return [{ company, outcome: output }];
		const { outputItems, failedReadErrors } = output.value;
		return [
			{ company, outcome: { ok: true, value: outputItems } },
			...failedReadErrors.map((error): CompanyResult => ({ company, outcome: { ok: false, error } })),
		];
	});
}

/** The output of an operation for one company. Some list entries may be missing. */
interface CompanyOutput {
	outputItems: OutputItem[];
	/** The errors of list entries, such as campaign jobs, that could not be read. Only set if the node continues on failure. */
	failedReadErrors: RequestError[];
}

/**
 * Runs the operation for one company of an item. If the customer doesn't let its reseller in, the error says when the access ended.
 * @throws RequestError, InvalidInputError
 */
async function runWithAccessCheck(
	run: Run,
	client: HttpClient,
	item: PreparedItem,
	scopedCompany: CompanyWithForm,
): Promise<CompanyOutput> {
	try {
		return await runForCompany(run, client, item, scopedCompany);
	} catch (error) {
		const { context, operation } = run;
		const company = scopedCompany.company ?? readAffectedCompany(operation.scope, operation.fields, item.form);
		throw await addAccessWindowEnd(error, client, company?.id, context.getTimezone());
	}
}

/** Runs the operation for one company of an item. @throws RequestError, InvalidInputError */
async function runForCompany(
	run: Run,
	client: HttpClient,
	item: PreparedItem,
	company: CompanyWithForm,
): Promise<CompanyOutput> {
	const preparedForm = company.form ?? (await settle(resolveNames(run, item, company)));
	if (!preparedForm.ok) throw toError(preparedForm.error);
	const failedReadErrors: RequestError[] = [];
	const operationContext = await createOperationContext(run, client, company, item.itemIndex, failedReadErrors);
	const outputItems = await run.operation.run(preparedForm.value, operationContext);
	return { outputItems, failedReadErrors };
}
