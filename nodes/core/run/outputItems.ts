import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readCompanyName } from '../companyScope/companyName';
import { type InvalidInputError, RequestError, toNodeError } from '../http/errors';
import { isEmpty, type Choice } from '../values';
import { addCompanyColumns, buildCompanyColumns } from './companyColumns';
import { createErrorContext, createErrorItem, type CompanyResult } from './failures';
import type { Run } from './openRun';
import type { PreparedItem } from './prepareItem';

/**
 * Creates an error item for every input item, for an error that concerns all of them. The error must not be thrown if the node
 * continues on failure, because n8n would then pass on the input items as if they had succeeded (n8n 17).
 * @throws NodeOperationError unless the node continues on failure
 */
export function failEveryItem(context: IExecuteFunctions, error: InvalidInputError): INodeExecutionData[] {
	const errorContext = { purpose: 'run the node' };
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, errorContext);
	return context.getInputData().map((_inputItem, index) => ({
		...createErrorItem(error, errorContext),
		pairedItem: { item: index },
	}));
}

/**
 * Adds the names of companies to results. If the operation runs for every company, the results already have them.
 * @param affectedCompany the company to use for a result without one
 * @throws RequestError if the user stopped the run
 */
export async function addCompanyNames(
	run: Run,
	{ index, scope }: PreparedItem,
	results: CompanyResult[],
	affectedCompany: Choice | undefined,
): Promise<CompanyResult[]> {
	if (scope.kind === 'every') return results;
	const inputJson = run.inputItems[index]?.json;
	const client = await run.client;
	return await Promise.all(
		results.map(async (result) => {
			const company = result.company ?? affectedCompany;
			if (!company || hasCompanyNames(result)) return { ...result, company };
			const clientForName = shouldRequestName(result) ? client : undefined;
			const name = await readCompanyName(company, inputJson, run.companyNames, clientForName);
			return { ...result, company: { ...company, name } };
		}),
	);
}

/** Returns true if all output items already have the name of their company. */
const hasCompanyNames = ({ outcome }: CompanyResult) =>
	outcome.ok && outcome.value.length > 0 && outcome.value.every(({ json }) => !isEmpty(json.companyName));

/** Returns true if the company's name should be requested: an output item shows it, and the request may succeed. */
function shouldRequestName({ company, outcome }: CompanyResult): boolean {
	if (outcome.ok) return outcome.value.length > 0;
	return company !== undefined && isRejectedDespiteAccess(outcome.error);
}

/** Returns true if the platform rejected a request although the credential has access. Then other requests may succeed. */
function isRejectedDespiteAccess(error: unknown): boolean {
	const status = error instanceof RequestError ? (error.details.status ?? 0) : 0;
	return status >= 400 && status !== 401 && status !== 403;
}

/** Builds the output items of a result: its items with the company's columns, or one item for its error. */
export function buildOutputItems(run: Run, index: number, { company, outcome }: CompanyResult): INodeExecutionData[] {
	const { context, operation } = run;
	const pairedItem = { item: index };
	const columns = company ? buildCompanyColumns(company) : {};
	if (outcome.ok)
		return outcome.value.map(({ json, ...otherParts }) => ({
			...otherParts,
			json: addCompanyColumns(json, columns),
			pairedItem,
		}));
	// The error of an operation without a company scope already names the company that it affects.
	const companyInError = operation.scope === 'credential' ? undefined : company;
	const { json } = createErrorItem(outcome.error, createErrorContext(run, index, companyInError));
	// n8n moves an item to the error output only if it has nothing but `error` and `message` (n8n 10).
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return [{ json: hasErrorOutput ? json : { ...columns, ...json }, pairedItem }];
}
