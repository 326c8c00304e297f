import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toCompany } from '../companies/companies';
import { readCompanyName } from '../companyScope/companyName';
import { type InvalidInputError, RequestError, toNodeError } from '../http/errors';
import { findByName, isEmpty, type Choice } from '../values';
import { addCompanyColumns, buildCompanyColumns } from './companyColumns';
import { createErrorContext, createErrorItem, type CompanyResult } from './failures';
import type { Run } from './openRun';
import type { PreparedItem } from './prepareItem';

/**
 * Creates an error item for every input item, for an error that concerns all of them. If the node continues on failure, the error must
 * not be thrown, because n8n would then output the input items as if the operation had succeeded for them (n8n 17).
 * @throws NodeOperationError unless the node continues on failure
 */
export function failEveryItem(context: IExecuteFunctions, error: InvalidInputError): INodeExecutionData[] {
	const errorContext = { purpose: 'run the node' };
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, errorContext);
	return context.getInputData().map((_inputItem, itemIndex) => ({
		...createErrorItem(error, errorContext),
		pairedItem: { item: itemIndex },
	}));
}

/**
 * Adds the names of companies to results. If the operation runs for every company, the results already contain the names.
 * @param affectedCompany the company for results that have none
 * @throws RequestError if the user stopped the run
 */
export async function addCompanyNames(
	run: Run,
	{ itemIndex, scope }: PreparedItem,
	results: CompanyResult[],
	affectedCompany: Choice | undefined,
): Promise<CompanyResult[]> {
	if (scope.kind === 'every') return results;
	const inputJson = run.inputItems[itemIndex]?.json;
	const client = await run.client;
	return await Promise.all(
		results.map(async (result) => {
			const company = result.company ?? affectedCompany;
			if (!company || hasCompanyNames(result)) return { ...result, company };
			const clientForName = shouldRequestName(result) ? client : undefined;
			const name = await readCompanyName(company, inputJson, run.companyNameCache, clientForName);
			return { ...result, company: addNameFromOutput(run, { ...company, name }) };
		}),
	);
}

/** Returns the company with the name that it has in the output of another item, unless it already has a name. */
const addNameFromOutput = ({ hints }: Run, company: Choice): Choice => ({
	...company,
	name: company.name || (hints.companyNamesById.get(company.id) ?? ''),
});

/** Returns true if the result has output items, and all of them already contain the name of their company. */
const hasCompanyNames = ({ outcome }: CompanyResult) =>
	outcome.ok && outcome.value.length > 0 && outcome.value.every(({ json }) => !isEmpty(json.companyName));

/** Returns true if the company's name should be requested, because an output item needs it and the request can succeed. */
function shouldRequestName({ company, outcome }: CompanyResult): boolean {
	if (outcome.ok) return outcome.value.length > 0;
	return company !== undefined && isRejectedDespiteAccess(outcome.error);
}

/** Returns true if the platform rejected a request for another reason than missing access. Other requests may then succeed. */
function isRejectedDespiteAccess(error: unknown): boolean {
	const status = error instanceof RequestError ? (error.details.status ?? 0) : 0;
	return status >= 400 && status !== 401 && status !== 403;
}

/** Builds the output items of a result: the operation's output items with the company's name and ID, or one item for the error. */
export function buildOutputItems(
	run: Run,
	itemIndex: number,
	{ company, outcome }: CompanyResult,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (!outcome.ok) {
		const { error } = outcome;
		const item = { json: buildErrorJson(run, itemIndex, company, error), pairedItem };
		if (company && (company.name === '' || company.id === ''))
			run.incompleteErrorItems.push({ item, itemIndex, company, error });
		return [item];
	}
	const columns = company ? buildCompanyColumns(company) : {};
	return outcome.value.map(({ json, ...otherProperties }) => ({
		...otherProperties,
		json: addCompanyColumns(json, columns),
		pairedItem,
	}));
}

/** Builds the JSON of an item for an error, with the company's name and ID. */
function buildErrorJson(run: Run, itemIndex: number, company: Choice | undefined, error: unknown): IDataObject {
	const { context, operation } = run;
	// If the operation has no company scope, the error already names the affected company.
	const companyInError = operation.scope === 'credential' ? undefined : company;
	const { json } = createErrorItem(error, createErrorContext(run, itemIndex, companyInError));
	// n8n moves an item to the error output only if the item's JSON contains nothing but `error` and `message` (n8n 10).
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return hasErrorOutput || !company ? json : { ...buildCompanyColumns(company), ...json };
}

/**
 * Adds the names and IDs of companies to error items, if another item that ran later has the name in its output, or if the run has read
 * the list of companies. No request is sent.
 */
export async function completeErrorItems(run: Run): Promise<void> {
	const list = await run.companyNameCache.companyList?.catch(() => undefined);
	for (const { item, itemIndex, company, error } of run.incompleteErrorItems) {
		const completeCompany =
			company.id === '' ? findEnteredCompany(company, list?.records ?? []) : addNameFromOutput(run, company);
		if (completeCompany.id !== company.id || completeCompany.name !== company.name)
			item.json = buildErrorJson(run, itemIndex, completeCompany, error);
	}
}

/** Finds the company whose name the user entered. @returns `company` itself if there isn't exactly one with this name */
function findEnteredCompany(company: Choice, records: IDataObject[]): Choice {
	const matches = findByName(records.map(toCompany), company.name, ({ name }) => name);
	return matches.length === 1 && matches[0] ? matches[0] : company;
}
