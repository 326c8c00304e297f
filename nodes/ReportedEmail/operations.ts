import type { IDataObject } from 'n8n-workflow';

import { file } from '../core/response/fileResponse';
import { pages } from '../core/response/listResponse';
import { record } from '../core/response/recordResponse';
import type { Conditions } from '../core/filters/conditions';
import { defineOperation } from '../core/operation/defineOperation';
import { checkChanges } from '../core/operation/checkChanges';
import { readStoredTexts, updateWhole, type Sources } from '../core/operation/updateRecord';
import { REPORTED_EMAIL_ID } from '../domain/pickers/resourcePickers';
import { bodyText } from './bodyText';
import { changedFields, NOT_CLUSTERED, reportedEmail } from './reportedEmailFields';

const sortable = { 'Create Time': 'CreateTime' };

/** The fields by which reported emails can be filtered (deployment activity, 2). */
const conditions: Conditions = {
	createTime: { name: 'Create Time', kind: 'date', of: 'createTime' },
	MD5: { name: 'MD5 of an Attachment', kind: 'exact' },
	reportedBy: { name: 'Reported By', kind: 'text', of: 'reportedBy' },
	result: { name: 'Result', kind: 'choice', of: 'result' },
	SenderIp: { name: 'Sender IP', kind: 'text', of: 'senderIp' },
	SHA512: { name: 'SHA-512 of an Attachment', kind: 'exact' },
	status: { name: 'Status', kind: 'choice', of: 'status' },
	subject: { name: 'Subject', kind: 'text', of: 'subject' },
};

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Reported Emails',
	description: 'List the suspicious mails that people reported, of one customer or of every one',
	endpoint: 'POST /api/notified-emails/search',
	scope: 'companies',
	request: () => ({ body: NOT_CLUSTERED }),
	answer: pages({
		identity: REPORTED_EMAIL_ID,
		sortable,
		conditions,
		known: {
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
			others: ['senderIp', 'source', 'tags', 'lastUpdateDate', 'matchingPlaybooks', 'total', 'clusteredResourceIdList'],
		},
	}),
});

/** A mail with its body as text; what its HTML is stays data. */
const withText = (json: IDataObject): IDataObject =>
	typeof json.htmlBody === 'string' ? { ...json, bodyText: bodyText(json.htmlBody) } : json;

const get = defineOperation({
	value: 'get',
	name: 'Get Reported Email',
	description: 'Get one reported mail: its text, and what the analysis found in it',
	outputNote:
		"A reported mail may be an attack: 'Raw' and 'Selected Fields' also give its HTML, its links and the names of its files, as they came. Put none of these into a message or a page.",
	endpoint: 'GET /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: reportedEmail,
	request: ({ reportedEmail: { id } }) => ({ path: { resourceId: id } }),
	answer: record({
		identity: { names: REPORTED_EMAIL_ID, as: 'resourceId' },
		known: {
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
			others: [
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
	output: withText,
});

/** All fields of an update, empty ones too, but the mail to the reporter, which nobody gets unless it was chosen now. */
const UPDATED: Sources = {
	result: 'result',
	status: 'status',
	tag: { list: 'tags', read: (tags) => readStoredTexts(tags ?? [])?.join(',') },
	note: ({ note }) => note ?? '',
	customMessage: ({ customMessage }) => customMessage ?? '',
	notificationTemplateResourceId: 'notificationTemplateResourceId',
};

const update = defineOperation({
	value: 'update',
	name: 'Update Reported Email',
	description: 'Set result, status, tags and note of a reported mail, and tell its reporter',
	endpoint: 'PUT /api/notified-emails/{resourceId}',
	scope: 'company',
	fields: changedFields,
	request: ({ reportedEmail: { id }, notifyReporter: isNotifyUser, additionalFields }) => {
		// To tell the reporter is a change of its own.
		if (!isNotifyUser) checkChanges(additionalFields);
		const { tag, ...changed } = additionalFields;
		return { path: { resourceId: id }, body: { isNotifyUser, ...changed, tag: tag?.join(',') } };
	},
	answer: record({ as: 'resourceId' }),
	perform: async (_values, tools) => updateWhole(get, { sources: UPDATED, required: {} }, tools),
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Reported Emails',
	description: 'Get the list of reported mails as a CSV or Excel file',
	endpoint: 'POST /api/notified-emails/search/export',
	scope: 'companies',
	answer: file({ name: 'reported-emails', sortable, conditions }),
});

export const operations = [exportMany, get, getMany, update];
