import { sortBy, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { PickerContext } from '../../core/fields/field';
import { toError, isNotFound } from '../../core/http/errors';
import type { ApiRequest } from '../../core/http/request';
import { listCompanies, toCompany } from '../../core/companies/companies';
import type { ReadChoices } from '../../core/pickers/listSource';
import { getEndpoint, type EndpointKey } from '../../core/api/endpoint';
import { isRecord, readId, toItemJson, type Choice } from '../../core/values';

/**
 * Requests data from an endpoint, for the company that is selected in the form.
 * @param requestDetails the values for the endpoint's path, and the request body
 * @returns undefined if the platform lacks the endpoint
 * @throws RequestError
 */
async function readPlatformData(
	context: PickerContext,
	endpoint: EndpointKey,
	requestDetails: Pick<ApiRequest, 'path' | 'body'> = {},
): Promise<unknown> {
	// Data that is the same for every company can be listed before a company is selected.
	const company = getEndpoint(endpoint).isPlatformWide ? undefined : await context.getCompany();
	const client = await context.getClient();
	const request = { ...requestDetails, endpoint, purpose: 'read the list', company, signal: context.signal };
	try {
		const { data } = await client.requestJson(request);
		return data;
	} catch (error) {
		if (isNotFound(error)) return undefined;
		throw toError(error);
	}
}

/** Converts a text to lower case and removes all characters except the letters a to z. */
const reduceToLowerCaseLetters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Converts a list of words or objects to choices. The objects may contain further lists, whose choices are added (deployment shapes,
 * "Trainings, groups, enrollments", "Beside the 85").
 * @param idFields the keys under which an object may have its ID
 */
function collectChoices(list: unknown, idFields: string[]): Choice[] {
	const values: unknown[] = Array.isArray(list) ? list : [];
	return values.flatMap((value) => {
		if (typeof value === 'string') return [{ id: value, name: value }];
		if (!isRecord(value)) return [];
		const id = readId(value, idFields);
		const name = readId(value, ['displayName', 'text', 'name', ...idFields]);
		const innerChoices = collectChoices(value.enumResults ?? value.extraDatas, idFields);
		return id === undefined || name === undefined ? innerChoices : [{ id, name }, ...innerChoices];
	});
}

/** Converts a list of objects to choices, as `collectChoices` does. The objects have their IDs under the key resourceId. */
const collectChoicesByResourceId = (list: unknown) => collectChoices(list, ['resourceId']);

/**
 * Creates a function that reads choices from an endpoint whose response contains several lists (deployment shapes, "Beside the 85"). All
 * lists are used whose keys contain a word.
 * @param word in lower case, without spaces
 * @param idFields see `collectChoices`
 */
export function createResponseListReader(endpoint: EndpointKey, word: string, idFields: string[]): ReadChoices {
	return async (context) => {
		const data = await readPlatformData(context, endpoint);
		if (!isRecord(data)) return [];
		const lists = Object.entries(data).filter(([name]) => reduceToLowerCaseLetters(name).includes(word));
		return uniqBy(
			lists.flatMap(([, list]) => collectChoices(list, idFields)),
			'id',
		);
	};
}

/**
 * Creates a function that reads the values of one of the platform's code types, such as the countries (deployment shapes, "Beside the 85").
 * @param word a part of the code type's name, in lower case and without spaces
 */
export function createCodeTypeReader(word: string): ReadChoices {
	return async (context) => {
		const codeTypes = collectChoices(await readPlatformData(context, 'GET /api/codetypes'), ['id']);
		const codeType = codeTypes.find(({ name }) => reduceToLowerCaseLetters(name).includes(word));
		if (!codeType) return [];
		const path = { typeId: codeType.id };
		return collectChoicesByResourceId(await readPlatformData(context, 'GET /api/lookups/{typeId}', { path }));
	};
}

/** The maximum number of records that are requested one by one: companies to collect their values, or reports to collect their widgets. */
const MAX_RECORDS_READ = 10;

/**
 * Collects the values that the companies have in one of their fields, without duplicates and sorted by name.
 * @param idField the key of the value's ID in a company record
 * @param nameField the key of the value's name in a company record
 */
function collectCompanyValues(companies: IDataObject[], idField: string, nameField: string): Choice[] {
	const choices = companies.flatMap((company) => {
		const id = readId(company, [idField]);
		return id === undefined ? [] : [{ id, name: readId(company, [nameField]) ?? id }];
	});
	return sortBy(uniqBy(choices, 'id'), 'name');
}

/**
 * Creates a function that collects the values that the companies have in one of their fields (see `collectCompanyValues`). The values are
 * taken from the list of companies (contract 2.4). If the list lacks the field, they are taken from the complete records of some companies
 * (deployment shapes, "Beside the 85").
 */
export function createCompanyValueReader(idField: string, nameField = idField): ReadChoices {
	return async (context) => {
		const { records } = await listCompanies(await context.getClient());
		const listedValues = collectCompanyValues(records, idField, nameField);
		if (listedValues.length > 0) return listedValues;
		const readRecord = async (company: IDataObject) => {
			const path = { resourceId: toCompany(company).id };
			return toItemJson(await readPlatformData(context, 'GET /api/companies/{resourceId}', { path }));
		};
		const companies = await Promise.all(records.slice(0, MAX_RECORDS_READ).map(readRecord));
		return collectCompanyValues(companies, idField, nameField);
	};
}

/** Converts the widgets of reports or of metric groups to choices. Each choice's name begins with the name of the report or metric group. */
function collectWidgets(groups: unknown): Choice[] {
	const list: unknown[] = Array.isArray(groups) ? groups : [];
	const widgets = list.filter(isRecord).flatMap((group) => {
		const groupName = readId(group, ['name']) ?? '';
		return collectChoicesByResourceId(group.widgets).map(({ id, name }) => ({ id, name: `${groupName}: ${name}` }));
	});
	return uniqBy(widgets, 'id');
}

/** Reads the executive reports. Their list is not paginated (deployment behaviour, "Leaderboard, executive report"). */
export const readExecutiveReports: ReadChoices = async (context) => {
	const data = await readPlatformData(context, 'POST /api/executive-report/search', { body: { name: '' } });
	return collectChoicesByResourceId(data);
};

/**
 * Reads the widgets of the metrics. If the platform has no metrics, reads those of the reports (deployment behaviour, "Leaderboard,
 * executive report").
 */
export const readWidgets: ReadChoices = async (context) => {
	const metrics = await readPlatformData(context, 'GET /api/executive-report/metrics');
	if (isRecord(metrics)) return collectWidgets(metrics.metrics);
	const reports = await readExecutiveReports(context);
	const readReport = async ({ id }: Choice) =>
		readPlatformData(context, 'GET /api/executive-report/{resourceId}', { path: { resourceId: id } });
	return collectWidgets(await Promise.all(reports.slice(0, MAX_RECORDS_READ).map(readReport)));
};

/**
 * Returns the IANA time zones, by whose names live platforms identify time zones (deployment behaviour, "Trainings, groups, enrollments").
 */
export const readIanaTimeZones: ReadChoices = async () => {
	const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
	return Promise.resolve(names.map((name) => ({ id: name, name: name.replaceAll('_', ' ') })));
};

/** Reads the custom fields that the selected company has defined. */
export const readCustomFields: ReadChoices = async (context) =>
	collectChoicesByResourceId(await readPlatformData(context, 'GET /api/custom-fields/company'));
