import type { IDataObject } from 'n8n-workflow';

import { buildSearchFilter } from '../core/api/searchFilter';
import { normalizeDomain } from '../core/fields/contact';
import type { Field } from '../core/fields/field';
import { describeValue, parseText, textField, type TextFieldSettings } from '../core/fields/fieldTypes';
import type { FilterableFields } from '../core/filters/conditions';
import { useKnownNames } from '../core/fields/jsonFields';
import { InvalidInputError, isNotFoundOrForbidden, RequestError, toError } from '../core/http/errors';
import { hasControlCharacter } from '../core/http/resourceId';
import { defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { fileResponse } from '../core/response/fileResponse';
import { listResponse } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { readId, toItemJson, type Choice } from '../core/values';
import { ALLOWED_DOMAIN_ID_FIELDS, resourcePicker } from '../domain/pickers/resourcePickers';

const SORTABLE_DOMAIN_FIELDS = { 'Create Time': 'CreateTime', Domain: 'Domain' };

/** The columns that the list can be filtered by (deployment onboarding 2). The values of `status` are not documented. */
const FILTERABLE_DOMAIN_FIELDS: FilterableFields = {
	Domain: { name: 'Domain', type: 'text', recordField: 'domain' },
	Status: { name: 'Status', type: 'text', recordField: 'status' },
};

/** Matches a domain name of at least two parts, the last of which has a letter. An email address, a URL or an IP address doesn't match. */
const DOMAIN_NAME =
	/^([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(?=[^.]*\p{L})[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/** Creates a required field for a domain name. @throws InvalidInputError when it is read, for an email address or a URL */
function domainField(settings: TextFieldSettings): Field<string> {
	return {
		...textField({ ...settings, placeholder: 'e.g. example.com', required: true }),
		parse: (raw) => {
			const domain = parseText(raw, { min: 1 }).trim();
			if (DOMAIN_NAME.test(domain)) return domain;
			throw new InvalidInputError(
				`must be a domain such as example.com, but is ${describeValue(domain)}`,
				[],
				'Enter only the part of the email addresses after the @.',
			);
		},
	};
}

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many allowed domains',
	description: 'List the allowed domains of one customer or all customers',
	endpoint: 'POST /api/allow-list/search',
	scope: 'companies',
	response: listResponse({
		identity: ALLOWED_DOMAIN_ID_FIELDS,
		sortableFields: SORTABLE_DOMAIN_FIELDS,
		filterableFields: FILTERABLE_DOMAIN_FIELDS,
	}),
});

const exportOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export allowed domains',
	description: 'Export the list of allowed domains to a CSV or Excel file',
	endpoint: 'POST /api/allow-list/search/export',
	scope: 'companies',
	response: fileResponse({
		fallbackName: 'allowed-domains',
		sortableFields: SORTABLE_DOMAIN_FIELDS,
		filterableFields: FILTERABLE_DOMAIN_FIELDS,
	}),
});

const DNS_NOTE = 'It can take up to 72 hours until a new TXT record is visible in DNS.';

const getTxtRecordOperation = defineOperation({
	value: 'getTxtRecord',
	name: 'Get TXT Record',
	action: 'Get allowed domain TXT record',
	description: "Get a TXT record to add to a domain's DNS as proof of ownership",
	outputNote: `Enter the value of txtRecord in 'TXT Record' of 'Create allowed domain'. ${DNS_NOTE}`,
	endpoint: 'POST /api/allow-list/txt-record',
	scope: 'company',
	response: recordResponse({ valueField: 'txtRecord' }),
});

/** Requests a TXT record for a new domain. @throws RequestError, also if the response has no TXT record */
async function requestTxtRecord({ callOperation }: OperationHelpers): Promise<string> {
	const { data } = await callOperation(getTxtRecordOperation, {});
	const txtRecord = readId(toItemJson(data, 'txtRecord'), ['txtRecord']);
	if (txtRecord !== undefined) return txtRecord;
	throw new RequestError({
		reason: 'the platform sent no TXT record',
		advice: "No domain was created. Copy the TXT record from the platform, and enter it in 'TXT Record'.",
	});
}

/** Reads the customer's allowed domains. @returns an empty list if the platform or the credential's role has no such list */
async function readAllowedDomains({ listRecords }: OperationHelpers): Promise<IDataObject[]> {
	const body = { filter: buildSearchFilter() };
	return await listRecords(getManyOperation, { body }, { identity: ALLOWED_DOMAIN_ID_FIELDS }).catch(
		(error: unknown) => {
			if (isNotFoundOrForbidden(error)) return [];
			throw toError(error);
		},
	);
}

const getDomainName = (record: IDataObject): string => readId(record, ['domain']) ?? '';

/** Rejects a domain that the customer already has, because the platform would add it a second time. @throws InvalidInputError, RequestError */
async function rejectExistingDomain(domain: string, helpers: OperationHelpers): Promise<void> {
	const records = await readAllowedDomains(helpers);
	const existingRecord = records.find((record) => normalizeDomain(getDomainName(record)) === normalizeDomain(domain));
	if (!existingRecord) return;
	throw new InvalidInputError(
		`is already in the customer's list of allowed domains, as '${getDomainName(existingRecord)}'`,
		['domain'],
		"Nothing was created. 'Get many allowed domains' shows its status and its TXT record.",
	);
}

/** Creates a field for a TXT record. @throws InvalidInputError when it is read, for several lines */
function txtRecordField(settings: TextFieldSettings): Field<string> {
	return {
		...textField(settings),
		parse: (raw) => {
			const txtRecord = parseText(raw).trim();
			if (!hasControlCharacter(txtRecord)) return txtRecord;
			throw new InvalidInputError(
				'must not contain line breaks or control characters',
				[],
				"Enter one TXT record on one line, as 'Get allowed domain TXT record' shows it.",
			);
		},
	};
}

const createOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create allowed domain',
	description: 'Add a domain that the platform may send emails to after you verify it',
	outputNote: `Add the value of txtRecord to the domain's DNS, then run 'Verify allowed domain'. ${DNS_NOTE}`,
	endpoint: 'POST /api/allow-list',
	scope: 'company',
	fields: {
		domain: domainField({
			displayName: 'Domain',
			description: "The part after the @ of the people's email addresses, such as example.com",
		}),
		txtRecord: txtRecordField({
			displayName: 'TXT Record',
			description: "The TXT record from 'Get allowed domain TXT record'. Leave empty to get a new one.",
			placeholder: 'e.g. domain-verification=3f2a9c10',
		}),
	},
	request: ({ domain, txtRecord }) => ({ multipart: { Domain: domain, TxtRecord: txtRecord } }),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ domain }, helpers) => {
		await rejectExistingDomain(domain, helpers);
		// The TXT record may also be a field in JSON, whose name may have another case.
		const fields = useKnownNames(helpers.request.multipart ?? {}, ['TxtRecord']);
		const txtRecord = readId(fields, ['TxtRecord']) ?? (await requestTxtRecord(helpers));
		const results = await helpers.send({ multipart: { ...fields, TxtRecord: txtRecord } });
		return results.map((result) => ({ ...result, json: { domain, txtRecord, ...result.json } }));
	},
});

const domainPickerFields = { allowedDomain: resourcePicker('allowedDomains') };

/** Renames a record's field `name` to `domain`, the name that the platform's lists use. */
function renameToDomain({ name, ...record }: IDataObject): IDataObject {
	return name === undefined ? record : { domain: name, ...record };
}

const verifyOperation = defineOperation({
	value: 'verify',
	name: 'Verify',
	action: 'Verify allowed domain',
	description: 'Verify a domain by its TXT record in DNS',
	outputNote: `No document explains the numbers in status and verifyType. 'Get many allowed domains' shows the status as text. ${DNS_NOTE}`,
	endpoint: 'POST /api/allow-list/verify/{resourceId}',
	scope: 'company',
	fields: domainPickerFields,
	request: ({ allowedDomain }) => ({ path: { resourceId: allowedDomain.id } }),
	response: recordResponse(),
	transformOutput: renameToDomain,
});

/**
 * Checks that an entered domain is the one that the user selected. Case is ignored, as in DNS.
 * @returns the domain as the list spells it
 * @throws InvalidInputError if it is another domain, RequestError
 */
async function confirmDomain(
	{ id }: Choice,
	enteredDomain: string,
	{ listRecordsCompletely }: OperationHelpers,
): Promise<string> {
	const body = { filter: buildSearchFilter() };
	const records = await listRecordsCompletely(getManyOperation, { body }, { identity: ALLOWED_DOMAIN_ID_FIELDS });
	const record = records.find((entry) => readId(entry, ALLOWED_DOMAIN_ID_FIELDS) === id);
	if (!record)
		throw new InvalidInputError(
			'is not an allowed domain of the selected company',
			['allowedDomain'],
			"Nothing was changed. Select the domain from the list, or add it with 'Create allowed domain'.",
		);
	const domain = getDomainName(record);
	if (normalizeDomain(domain) === normalizeDomain(enteredDomain)) return domain;
	throw new InvalidInputError(
		'is not the name of the selected domain',
		['domainToMark'],
		"Nothing was changed. Enter the domain as 'Get many allowed domains' shows it.",
	);
}

const markAsVerifiedOperation = defineOperation({
	value: 'markAsVerified',
	name: 'Mark as Verified',
	action: 'Mark allowed domain as verified',
	description: 'Mark a domain as verified without checking its DNS, which only resellers can do',
	endpoint: 'PUT /api/allow-list/mark-as-verified/{resourceId}',
	scope: 'company',
	fields: {
		...domainPickerFields,
		domainToMark: domainField({
			displayName: 'Confirm Domain',
			description: "To confirm, enter the domain as 'Get many allowed domains' shows it",
		}),
	},
	request: ({ allowedDomain }) => ({ path: { resourceId: allowedDomain.id } }),
	response: emptyResponse(),
	transformOutput: ({ name: _selectedName, domain, ...json }) => ({ domain, ...json }),
	perform: async ({ allowedDomain, domainToMark }, helpers) => {
		const domain = await confirmDomain(allowedDomain, domainToMark, helpers);
		const results = await helpers.send();
		return results.map((result) => ({ ...result, json: { domain, ...result.json } }));
	},
});

/** Reads the name of a domain of which the user may have entered only the ID. @returns null if the list doesn't have the domain */
async function readDomainName({ id, name }: Choice, helpers: OperationHelpers): Promise<string | null> {
	if (name !== '') return name;
	const records = await readAllowedDomains(helpers);
	const record = records.find((entry) => readId(entry, ALLOWED_DOMAIN_ID_FIELDS) === id);
	return record ? getDomainName(record) : null;
}

const deleteOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete allowed domain',
	description: 'Remove a domain from the allowed domains of a company',
	endpoint: 'DELETE /api/allow-list',
	scope: 'company',
	fields: domainPickerFields,
	request: ({ allowedDomain }) => ({ body: { resourceIds: [allowedDomain.id] } }),
	response: emptyResponse({ deleted: true }),
	transformOutput: (json, { allowedDomain: { id } }) => ({ ...json, resourceId: id }),
	perform: async ({ allowedDomain }, helpers) => {
		const domain = await readDomainName(allowedDomain, helpers);
		const results = await helpers.send();
		return results.map((result) => ({ ...result, json: { domain, ...result.json } }));
	},
});

/** The operations of the Allowed Domain node. The node's properties list their forms in this order. */
export const allowedDomainOperations = [
	createOperation,
	deleteOperation,
	exportOperation,
	getManyOperation,
	getTxtRecordOperation,
	markAsVerifiedOperation,
	verifyOperation,
];
