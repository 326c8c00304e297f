/** The real mails that people report (deployment activity, 2). */
import { z } from 'zod';
import { check, found, invalid } from '../envelope';
import { beside, reading, writing, type Call, type Route, type Row } from '../http';
import type { ReportedEmail } from '../seed';
import { strictExport, strictSearch, type StrictListing } from './lists';

const rowOf = (mail: ReportedEmail): Row => {
	const {
		htmlBody: _body,
		customMessage: _message,
		isNotifyUser: _notify,
		sha512: _hash,
		mailsSent: _sent,
		...row
	} = mail;
	return {
		...row,
		attachmentCount: 1,
		source: 'Outlook',
		lastUpdateDate: mail.createTime,
		total: 1,
		matchingPlaybooks: [],
		clusteredResourceIdList: [],
	};
};

const REPORTED: StrictListing = {
	rows: ({ companies, world }) => companies.flatMap((company) => world.of(company).reportedEmails.map(rowOf)),
	id: 'resourceId',
	name: 'subject',
	text: ['subject', 'from', 'reportedBy'],
};

const mailOf = ({ home, params }: Call): ReportedEmail =>
	found(
		home.reportedEmails.find(({ resourceId }) => resourceId === params.resourceId),
		'reported email',
	);

function detailsOf(call: Call): Row {
	const mail = mailOf(call);
	const { resourceId: _id, reportedBy, mailsSent: _sent, sha512, ...shown } = mail;
	const url = 'https://pay.evil.example/login';
	return {
		...shown,
		folderName: 'Inbox',
		geoLocation: null,
		to: [reportedBy],
		cc: [],
		bcc: [],
		urls: [{ url, result: mail.result, redirectUrls: [], analysisList: [] }],
		attachments: [
			{
				name: 'invoice.exe',
				sha512,
				md5: null,
				contentType: 'application/octet-stream',
				isEncrypted: false,
				result: mail.result,
				analysisList: [],
			},
		],
		ips: [{ ip: mail.senderIp, result: mail.result, analysisList: [] }],
		headers: [{ key: 'X-Mailer', value: 'x' }],
		emailRelays: [],
		analysisDate: mail.createTime,
		receivedDate: mail.createTime,
	};
}

const changeBody = z
	.object({
		result: z.string().min(1),
		status: z.string().min(1),
		tag: z.string(),
		note: z.string().max(256),
		isNotifyUser: z.boolean(),
		customMessage: z.string(),
	})
	.passthrough();

/** The record becomes what was sent, which is all of it every time. */
function change(call: Call): string {
	const mail = mailOf(call);
	if (mail.status === 'BeingAnalyzed') throw invalid('The email is being analyzed.');
	const asked = check(changeBody, call.json);
	mail.result = asked.result;
	mail.status = asked.status;
	mail.tags = asked.tag.split(',').filter((tag) => tag !== '');
	mail.note = asked.note || null;
	mail.customMessage = asked.customMessage || null;
	mail.isNotifyUser = asked.isNotifyUser;
	if (mail.isNotifyUser) mail.mailsSent++;
	return mail.resourceId;
}

export function reportedEmailRoutes(): Route[] {
	const path = '/api/notified-emails';
	return [
		strictSearch(`POST ${path}/search`, REPORTED),
		strictExport(`POST ${path}/search/export`, REPORTED, 'reported-emails', true),
		reading(`GET ${path}/{resourceId}`, detailsOf),
		writing(`PUT ${path}/{resourceId}`, change),
	].map(beside);
}
