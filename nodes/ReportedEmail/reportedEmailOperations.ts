import type { IDataObject } from 'n8n-workflow';

import { fileResponse } from '../core/response/fileResponse';
import { listResponse } from '../core/response/listResponse';
import { recordResponse } from '../core/response/recordResponse';
import type { FilterableFields } from '../core/filters/conditions';
import { defineOperation } from '../core/operation/defineOperation';
import { rejectEmptyUpdate } from '../core/operation/rejectEmptyUpdate';
import { readStoredTexts, updateRecord, type CurrentValueSources } from '../core/operation/updateRecord';
import { REPORTED_EMAIL_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { UNCLUSTERED_BODY } from '../domain/reportedEmails';
import { extractBodyText } from './bodyText';
import { reportedEmailUpdateFields, reportedEmailFields } from './reportedEmailFields';

const SORTABLE_REPORTED_EMAIL_FIELDS = { 'Create Time': 'CreateTime' };

/** The fields by which reported emails can be filtered (deployment activity 2). */
const FILTERABLE_REPORTED_EMAIL_FIELDS: FilterableFields = {
	createTime: { name: 'Create Time', type: 'date', recordField: 'createTime' },
	MD5: { name: 'MD5 of an Attachment', type: 'exact' },
	reportedBy: { name: 'Reported By', type: 'text', recordField: 'reportedBy' },
	result: { name: 'Result', type: 'choice', recordField: 'result' },
	SenderIp: { name: 'Sender IP', type: 'text', recordField: 'senderIp' },
	SHA512: { name: 'SHA-512 of an Attachment', type: 'exact' },
	status: { name: 'Status', type: 'choice', recordField: 'status' },
	subject: { name: 'Subject', type: 'text', recordField: 'subject' },
};

const getReportedEmailsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many reported emails',
	description: 'List the suspicious emails that people reported',
	endpoint: 'POST /api/notified-emails/search',
	scope: 'companies',
	request: () => ({ body: UNCLUSTERED_BODY }),
	response: listResponse({
		identity: REPORTED_EMAIL_ID_FIELDS,
		sortableFields: SORTABLE_REPORTED_EMAIL_FIELDS,
		filterableFields: FILTERABLE_REPORTED_EMAIL_FIELDS,
		outputFields: {
			simplified: [
				'reportedBy',
				'subject',
				'from',
				'senderName',
				'status',
				'result',
				'attachmentCount',
				'createTime',
				'note',
				'resourceId',
			],
			additional: [
				'senderIp',
				'source',
				'tags',
				'lastUpdateDate',
				'matchingPlaybooks',
				'total',
				'clusteredResourceIdList',
			],
		},
	}),
});

/** Adds the field `bodyText` with the text of the email's HTML body. */
const addBodyText = (json: IDataObject): IDataObject =>
	typeof json.htmlBody === 'string' ? { ...json, bodyText: extractBodyText(json.htmlBody) } : json;

const getReportedEmailOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get reported email',
	description: 'Get the text and the analysis result of a reported email',
	outputNote:
		"A reported email may be an attack. The outputs 'Raw' and 'Selected Fields' can contain dangerous HTML and links, so don't copy these into a message or a web page.",
	endpoint: 'GET /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: reportedEmailFields,
	request: ({ reportedEmail }) => ({ path: { resourceId: reportedEmail.id } }),
	response: recordResponse({
		idFields: { names: REPORTED_EMAIL_ID_FIELDS, fallbackField: 'resourceId' },
		outputFields: {
			id: ['resourceId'],
			simplified: [
				'subject',
				'from',
				'senderName',
				'senderIp',
				'status',
				'result',
				'createTime',
				'note',
				'tags',
				'bodyText',
				'resourceId',
			],
			additional: [
				'to',
				'cc',
				'bcc',
				'urls',
				'attachments',
				'ips',
				'headers',
				'emailRelays',
				'folderName',
				'geoLocation',
				'analysisDate',
				'receivedDate',
				'isNotifyUser',
				'customMessage',
				'htmlBody',
			],
		},
	}),
	transformOutput: addBodyText,
});

/**
 * Maps each request field of an update to the place in the email's record that has its current value. The update sends all fields, even
 * empty ones. `isNotifyUser` is missing here, so that the reporter gets an email only if the user turns that on for this update.
 */
const REPORTED_EMAIL_CURRENT_VALUE_SOURCES: CurrentValueSources = {
	result: 'result',
	status: 'status',
	tag: { fieldName: 'tags', read: (tags) => readStoredTexts(tags ?? [])?.join(',') },
	note: ({ note }) => note ?? '',
	customMessage: ({ customMessage }) => customMessage ?? '',
	notificationTemplateResourceId: 'notificationTemplateResourceId',
};

const updateReportedEmailOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update reported email',
	description: 'Change the result, status, tags or note of a reported email',
	endpoint: 'PUT /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: reportedEmailUpdateFields,
	request: ({ reportedEmail, notifyReporter, additionalFields }) => {
		// An update that only notifies the reporter doesn't need to change a field.
		if (!notifyReporter) rejectEmptyUpdate(additionalFields);
		const { tag, ...otherFields } = additionalFields;
		return {
			path: { resourceId: reportedEmail.id },
			body: { isNotifyUser: notifyReporter, ...otherFields, tag: tag?.join(',') },
		};
	},
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async (_values, helpers) =>
		updateRecord(
			getReportedEmailOperation,
			{ currentValueSources: REPORTED_EMAIL_CURRENT_VALUE_SOURCES, requiredFields: {} },
			helpers,
		),
});

const exportReportedEmailsOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export reported emails',
	description: 'Export the list of reported emails as a CSV or Excel file',
	endpoint: 'POST /api/notified-emails/search/export',
	scope: 'companies',
	response: fileResponse({
		fallbackName: 'reported-emails',
		sortableFields: SORTABLE_REPORTED_EMAIL_FIELDS,
		filterableFields: FILTERABLE_REPORTED_EMAIL_FIELDS,
	}),
});

/** The operations of the Reported Email node. The node's properties list their forms in this order. */
export const reportedEmailOperations = [
	exportReportedEmailsOperation,
	getReportedEmailOperation,
	getReportedEmailsOperation,
	updateReportedEmailOperation,
];
