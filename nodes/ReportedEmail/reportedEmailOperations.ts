import type { IDataObject } from 'n8n-workflow';

import { fileResponse } from '../core/response/fileResponse';
import { listResponse } from '../core/response/listResponse';
import { recordResponse } from '../core/response/recordResponse';
import type { FilterableFields } from '../core/filters/conditions';
import { defineOperation } from '../core/operation/defineOperation';
import { rejectEmptyUpdate } from '../core/operation/rejectEmptyUpdate';
import { readStoredTexts, updateRecord, type FieldSources } from '../core/operation/updateRecord';
import { REPORTED_EMAIL_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { UNCLUSTERED } from '../domain/reportedEmails';
import { extractBodyText } from './bodyText';
import { reportedEmailUpdateFields, reportedEmailFields } from './reportedEmailFields';

const REPORTED_EMAIL_SORT = { 'Create Time': 'CreateTime' };

/** The fields by which reported emails can be filtered (deployment activity 2). */
const REPORTED_EMAIL_CONDITIONS: FilterableFields = {
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
	name: 'Get Many Reported Emails',
	description: 'List the suspicious mails that people reported, of one customer or of every one',
	endpoint: 'POST /api/notified-emails/search',
	scope: 'companies',
	request: () => ({ body: UNCLUSTERED }),
	response: listResponse({
		identity: REPORTED_EMAIL_ID_FIELDS,
		sortable: REPORTED_EMAIL_SORT,
		conditions: REPORTED_EMAIL_CONDITIONS,
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

/** Adds `bodyText`, which is the text of the email's HTML body. */
const addBodyText = (json: IDataObject): IDataObject =>
	typeof json.htmlBody === 'string' ? { ...json, bodyText: extractBodyText(json.htmlBody) } : json;

const getReportedEmailOperation = defineOperation({
	value: 'get',
	name: 'Get Reported Email',
	description: 'Get one reported mail: its text, and what the analysis found in it',
	outputNote:
		"A reported mail may be an attack: 'Raw' and 'Selected Fields' also give its HTML, its links and the names of its files, as they came. Put none of these into a message or a page.",
	endpoint: 'GET /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: reportedEmailFields,
	request: ({ reportedEmail }) => ({ path: { resourceId: reportedEmail.id } }),
	response: recordResponse({
		identity: { names: REPORTED_EMAIL_ID_FIELDS, fallbackField: 'resourceId' },
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
 * Maps each field of the update request to the place in the record that has its current value. The update sends all fields, even empty
 * ones. `isNotifyUser` is missing here, so that the reporter gets an email only if the user turns that on for this update.
 */
const REPORTED_EMAIL_UPDATE_SOURCES: FieldSources = {
	result: 'result',
	status: 'status',
	tag: { fieldName: 'tags', read: (tags) => readStoredTexts(tags ?? [])?.join(',') },
	note: ({ note }) => note ?? '',
	customMessage: ({ customMessage }) => customMessage ?? '',
	notificationTemplateResourceId: 'notificationTemplateResourceId',
};

const updateReportedEmailOperation = defineOperation({
	value: 'update',
	name: 'Update Reported Email',
	description: 'Set result, status, tags and note of a reported mail, and tell its reporter',
	endpoint: 'PUT /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: reportedEmailUpdateFields,
	request: ({ reportedEmail, notifyReporter, additionalFields }) => {
		// An update may change no field and only notify the reporter.
		if (!notifyReporter) rejectEmptyUpdate(additionalFields);
		const { tag, ...otherFields } = additionalFields;
		return {
			path: { resourceId: reportedEmail.id },
			body: { isNotifyUser: notifyReporter, ...otherFields, tag: tag?.join(',') },
		};
	},
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async (_values, tools) =>
		updateRecord(getReportedEmailOperation, { valueSources: REPORTED_EMAIL_UPDATE_SOURCES, requiredFields: {} }, tools),
});

const exportReportedEmailsOperation = defineOperation({
	value: 'export',
	name: 'Export Reported Emails',
	description: 'Get the list of reported mails as a CSV or Excel file',
	endpoint: 'POST /api/notified-emails/search/export',
	scope: 'companies',
	response: fileResponse({
		fallbackName: 'reported-emails',
		sortable: REPORTED_EMAIL_SORT,
		conditions: REPORTED_EMAIL_CONDITIONS,
	}),
});

/** The operations of the Reported Email node. Their forms follow each other in this order in the node's properties. */
export const reportedEmailOperations = [
	exportReportedEmailsOperation,
	getReportedEmailOperation,
	getReportedEmailsOperation,
	updateReportedEmailOperation,
];
