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

/** A company that an item runs for, with the item's form for this company. */
export interface CompanyWithForm extends ScopedCompany {
	/** The item's form, in which names are replaced by IDs of this company, or the error of that lookup. Undefined before the lookup. */
	form?: SettledResult<FormValues>;
}

/** An input item whose form has been checked, and whose companies have been listed. */
export interface PreparedItem {
	/** The index of the input item. */
	itemIndex: number;
	form: FormValues;
	scope: ScopeChoice;
	companies: CompanyWithForm[];
	/** True if the form refers to a file of the input item. */
	hasFile: boolean;
}

interface PrepareOptions {
	/** False to check only that the form's files exist, without reading their content. */
	shouldReadFiles: boolean;
}

/** Reads and checks the form of an item, and lists its companies. @throws InvalidInputError, RequestError */
export async function prepareItem(
	run: Run,
	itemIndex: number,
	{ shouldReadFiles }: PrepareOptions,
): Promise<PreparedItem> {
	const { context, operation, hints } = run;
	let hasFile = false;
	const readItemUpload: ItemContext['readUpload'] = async (file) => {
		hasFile = true;
		return await readUpload(context, itemIndex, file, { shouldReadContent: shouldReadFiles });
	};
	const uncheckedForm = await readForm(context, operation, itemIndex, { readUpload: readItemUpload });
	const form = await checkForm(run, uncheckedForm);
	const scope = readScope(operation.scope, form);
	const companies = await listScopeCompanies(
		scope,
		run.readCompanies,
		(message) => addHint(hints, message),
		context.getTimezone(),
	);
	return { itemIndex, form, scope, companies, hasFile };
}

/** Prepares an item of an operation that changes data, and looks up the names in its form. @throws InvalidInputError, RequestError */
export async function prepareWrite(run: Run, itemIndex: number, options: PrepareOptions): Promise<PreparedItem> {
	const item = await prepareItem(run, itemIndex, options);
	const companies = await Promise.all(
		item.companies.map(async (company) => {
			const form = await settle(resolveAndCheck(run, item, company));
			return { ...company, form };
		}),
	);
	return { ...item, companies };
}

/**
 * Checks an item's form, and whether the operation may run, without sending the operation's requests.
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
	if (isAiTool(context)) checkAgentValues(operation, form);
	operation.check(form);
	// The name of a company is looked up last, because that sends a request.
	return await form.resolveCompanies(run.readCompanies);
}

/**
 * Replaces the names in an item's form, and entries that were selected from another company's list, with IDs of one company.
 * @returns the form with the IDs
 * @throws InvalidInputError, RequestError
 */
export async function resolveNames(run: Run, item: PreparedItem, scopedCompany: ScopedCompany): Promise<FormValues> {
	const { operation, savedParameters, failureController } = run;
	const client = await run.client;
	const company = await addKnownCompanyName(run, scopedCompany, item.itemIndex);
	return await item.form.resolveNames({
		getClient: () => Promise.resolve(client),
		getCompany: () => Promise.resolve(company),
		signal: failureController.signal,
		hasExpression: (fieldName) => hasExpression(savedParameters[fieldName]),
		isWrite: !operation.isReadOnly,
	});
}

/**
 * Replaces names as `resolveNames` does, and checks the form again: only now, the time zone of its dates may be known.
 * @throws InvalidInputError, RequestError
 */
async function resolveAndCheck(run: Run, item: PreparedItem, scopedCompany: ScopedCompany): Promise<FormValues> {
	const form = await resolveNames(run, item, scopedCompany);
	run.operation.check(form);
	return form;
}

/**
 * Returns true if a saved parameter contains an expression. Its value may then differ from item to item. n8n saves an expression as a text
 * that begins with "=".
 */
const hasExpression = (savedValue: unknown): boolean =>
	isRecord(savedValue)
		? Object.values(savedValue).some(hasExpression)
		: typeof savedValue === 'string' && savedValue.startsWith('=');

/**
 * Finds the company that is selected in an item's form. It is needed for the output of an item that failed before its companies were
 * listed. No request is sent, so the company's name may be empty, or its ID if the user entered the name.
 * @returns undefined if the form selects no company, or can't be read
 */
export async function findCompanyInForm(run: Run, itemIndex: number): Promise<Choice | undefined> {
	const { context, operation, inputItems, companyNameCache } = run;
	try {
		const form = await readForm(context, operation, itemIndex);
		const scope = readScope(operation.scope, form);
		const company = scope.kind === 'one' ? scope.company : readAffectedCompany(operation.scope, operation.fields, form);
		if (!company) return undefined;
		// The user entered the company's name, and it isn't looked up here.
		if (company.id === '') return { id: '', name: company.name };
		return { ...company, name: await readCompanyName(company, inputItems[itemIndex]?.json, companyNameCache) };
	} catch {
		return undefined;
	}
}
