/** Routes for suspicious emails that users reported (deployment activity 2). */
import { z } from 'zod';
import { parseWithSchema, requireFound, createBadRequestError } from '../envelope';
import {
	markOutsideContract,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import type { ReportedEmail } from '../seed';
import type { ListDefinition } from '../paging';
import { defineDeployedExportRoute, defineDeployedSearchRoute } from './lists';

function toRow(email: ReportedEmail): JsonObject {
	const {
		htmlBody: _body,
		customMessage: _message,
		isNotifyUser: _notify,
		sha512: _hash,
		sentEmailCount: _sent,
		...row
	} = email;
	return {
		...row,
		attachmentCount: 1,
		source: 'Outlook',
		lastUpdateDate: email.createTime,
		total: 1,
		matchingPlaybooks: [],
		clusteredResourceIdList: [],
	};
}

const REPORTED_EMAIL_LIST: ListDefinition = {
	getRows: ({ visibleCompanies, world }) =>
		visibleCompanies.flatMap((company) => world.getCompanyData(company).reportedEmails.map(toRow)),
	idField: 'resourceId',
	nameField: 'subject',
	textFields: ['subject', 'from', 'reportedBy'],
};

const findEmail = ({ companyData, params }: RouteCall): ReportedEmail =>
	requireFound(
		companyData.reportedEmails.find(({ resourceId }) => resourceId === params.resourceId),
		'reported email',
	);

function buildEmailRecord(call: RouteCall): JsonObject {
	const email = findEmail(call);
	const { resourceId: _id, reportedBy, sentEmailCount: _sent, sha512, ...visibleFields } = email;
	const url = 'https://pay.evil.example/login';
	return {
		...visibleFields,
		folderName: 'Inbox',
		geoLocation: null,
		to: [reportedBy],
		cc: [],
		bcc: [],
		urls: [{ url, result: email.result, redirectUrls: [], analysisList: [] }],
		attachments: [
			{
				name: 'invoice.exe',
				sha512,
				md5: null,
				contentType: 'application/octet-stream',
				isEncrypted: false,
				result: email.result,
				analysisList: [],
			},
		],
		ips: [{ ip: email.senderIp, result: email.result, analysisList: [] }],
		headers: [{ key: 'X-Mailer', value: 'x' }],
		emailRelays: [],
		analysisDate: email.createTime,
		receivedDate: email.createTime,
	};
}

const updateSchema = z
	.object({
		result: z.string().min(1),
		status: z.string().min(1),
		tag: z.string(),
		note: z.string().max(256),
		isNotifyUser: z.boolean(),
		customMessage: z.string(),
	})
	.passthrough();

/** Replaces the record with the request body, which must contain every field. */
function updateEmail(call: RouteCall): string {
	const email = findEmail(call);
	if (email.status === 'BeingAnalyzed') throw createBadRequestError('The email is being analyzed.');
	const changes = parseWithSchema(updateSchema, call.json);
	email.result = changes.result;
	email.status = changes.status;
	email.tags = changes.tag.split(',').filter((tag) => tag !== '');
	email.note = changes.note || null;
	email.customMessage = changes.customMessage || null;
	email.isNotifyUser = changes.isNotifyUser;
	if (email.isNotifyUser) email.sentEmailCount++;
	return email.resourceId;
}

export function reportedEmailRoutes(): Route[] {
	const path = '/api/notified-emails';
	return [
		defineDeployedSearchRoute(`POST ${path}/search`, REPORTED_EMAIL_LIST),
		defineDeployedExportRoute(`POST ${path}/search/export`, REPORTED_EMAIL_LIST, 'reported-emails', true),
		defineReadRoute(`GET ${path}/{resourceId}`, buildEmailRecord),
		defineSaveRoute(`PUT ${path}/{resourceId}`, updateEmail),
	].map(markOutsideContract);
}
