import type { FormValues } from '../fields/formValues';
import { timeRangeFields, readTimeRange } from '../fields/period';
import type { ItemContext } from '../fields/field';
import { readCompanyName } from '../companyScope/companyName';
import {
	listScopeCompanies,
	readScope,
	readAffectedCompany,
	type ScopeChoice,
	type ScopedCompany,
} from '../companyScope/companyScope';
import { settle, type SettledResult } from '../http/mapConcurrently';
import { checkAgentValues, isAiTool } from './aiTool';
import { readUpload } from './binaryFiles';
import { checkMayRun } from './checkMayRun';
import { addHint } from './hints';
import type { Run } from './openRun';
import { addKnownCompanyName } from './operationContext';
import { readForm } from './readForm';
import { isRecord, type Choice } from '../values';

/** A company that an item runs for. */
export interface PreparedCompany extends ScopedCompany {
	/** The item's form in which names are replaced by this company's IDs, or the error of this lookup; undefined before the lookup. */
	form?: SettledResult<FormValues>;
}

/** An input item whose form has been checked. */
export interface PreparedItem {
	/** The index of the input item. */
	index: number;
	form: FormValues;
	scope: ScopeChoice;
	companies: PreparedCompany[];
	/** True if the form names a file. */
	hasFile: boolean;
}

interface PrepareOptions {
	/** False to check only that a file exists, without reading its content. */
	readsFiles: boolean;
}

/** Reads and checks the form of an item, and lists its companies. @throws InvalidInputError, RequestError */
export async function prepareItem(run: Run, index: number, { readsFiles }: PrepareOptions): Promise<PreparedItem> {
	const { context, operation, hints } = run;
	let hasFile = false;
	const readItemUpload: ItemContext['readUpload'] = async (file) => {
		hasFile = true;
		return await readUpload(context, index, file, { readsContent: readsFiles });
	};
	const uncheckedForm = await readForm(context, operation, index, { readUpload: readItemUpload });
	const form = await checkForm(run, uncheckedForm);
	const scope = readScope(operation.scope, form);
	const companies = await listScopeCompanies(
		scope,
		run.readCompanies,
		(message) => addHint(hints, message),
		context.getTimezone(),
	);
	return { index, form, scope, companies, hasFile };
}

/** Prepares an item of an operation that changes data, and looks up the names in its form. @throws InvalidInputError, RequestError */
export async function prepareWrite(run: Run, index: number, options: PrepareOptions): Promise<PreparedItem> {
	const item = await prepareItem(run, index, options);
	const companies = await Promise.all(
		item.companies.map(async (company) => {
			const form = await settle(resolveNames(run, item, company));
			return { ...company, form };
		}),
	);
	return { ...item, companies };
}

/**
 * Checks everything that can be checked without sending the operation's requests.
 * @returns the form, in which the name of a company is replaced by its ID
 * @throws InvalidInputError, RequestError
 */
async function checkForm(run: Run, uncheckedForm: FormValues): Promise<FormValues> {
	const { context, operation } = run;
	await checkMayRun(run);
	const form = uncheckedForm.assertValid();
	// These calls throw for values that don't fit together. Their results aren't needed here.
	readScope(operation.scope, form);
	if ('period' in operation.fields) readTimeRange(form.get(timeRangeFields), context.getTimezone());
	operation.check(form);
	if (isAiTool(context)) checkAgentValues(operation, form);
	// The name of a company is looked up last, because that sends a request.
	return await form.resolveCompanies(run.readCompanies);
}

/**
 * Looks up the names and list entries of a form at one company.
 * @returns the form with that company's IDs
 * @throws InvalidInputError, RequestError
 */
export async function resolveNames(run: Run, item: PreparedItem, scopedCompany: ScopedCompany): Promise<FormValues> {
	const { operation, savedParameters, failureController } = run;
	const client = await run.client;
	const company = await addKnownCompanyName(run, scopedCompany, item.index);
	return await item.form.resolveNames({
		getClient: () => Promise.resolve(client),
		getCompany: () => Promise.resolve(company),
		signal: failureController.signal,
		isExpression: (fieldName) => hasExpression(savedParameters[fieldName]),
		isWrite: !operation.isReadOnly,
	});
}

/**
 * Returns true if a saved parameter contains an expression, so that its value may differ from item to item. n8n saves an expression as a
 * text that begins with "=".
 */
const hasExpression = (savedValue: unknown): boolean =>
	isRecord(savedValue)
		? Object.values(savedValue).some(hasExpression)
		: typeof savedValue === 'string' && savedValue.startsWith('=');

/**
 * Finds the company that an item's form selects. The output of an item that failed before its companies were listed needs it. No request
 * is sent, so the company's name may be empty.
 * @returns undefined if the form selects no company, or can't be read
 */
export async function findCompanyInForm(run: Run, index: number): Promise<Choice | undefined> {
	const { context, operation, inputItems, companyNames } = run;
	try {
		const form = await readForm(context, operation, index);
		const scope = readScope(operation.scope, form);
		const company = scope.kind === 'one' ? scope.company : readAffectedCompany(operation.scope, operation.fields, form);
		if (!company) return undefined;
		return { ...company, name: await readCompanyName(company, inputItems[index]?.json, companyNames) };
	} catch {
		return undefined;
	}
}
