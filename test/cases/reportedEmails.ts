/** Real mails that people reported, where a platform has them. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineCases, createExportRun, createListRun, expectOnlyItem, createRecordRun, requireValue, type Case } from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';

const PATH = '/api/notified-emails';
const SEARCH = `POST ${PATH}/search`;
const GET = `GET ${PATH}/{resourceId}`;
const PUT = `PUT ${PATH}/{resourceId}`;

/** One with tags and a note. */
const findReportedEmail = ({ companyData: holdings, companyParameters: scoped }: CustomerFixture) => {
	const mail = requireValue(holdings.reportedEmails[0]);
	return { mail, parameters: { ...scoped, reportedEmail: toIdLocator(mail.resourceId) } };
};

/** Its body without what is no text. */
const TEXT = 'Dear customer,\nyour invoice is overdue & must be paid: Pay now';

export const reportedEmailCases: Case[] = [
	...defineCases(
		'ReportedEmail',
		{
			getMany: async (customer) => createListRun(customer, SEARCH),
			get: async (customer) => {
				const { mail, parameters } = findReportedEmail(customer);
				const added = { resourceId: mail.resourceId, bodyText: TEXT };
				return await createRecordRun(customer, `GET ${PATH}/${mail.resourceId}`, parameters, added);
			},
			update: (customer) => {
				const { mail, parameters } = findReportedEmail(customer);
				const { tags, note, customMessage } = mail;
				return {
					parameters: { ...parameters, additionalFields: { status: toIdLocator('Closed'), result: toIdLocator('Spam, by our AI') } },
					itemCount: 1,
					requiredRequests: [GET, PUT, GET],
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(mail.resourceId) });
						assert.deepEqual(
							{ ...mail },
							{
								...mail,
								status: 'Closed',
								result: 'Spam, by our AI',
								tags,
								note,
								customMessage,
								isNotifyUser: false,
								mailsSent: 0,
							},
						);
					},
				};
			},
		},
		{ isOutsideContract: true },
	),
	...defineCases(
		'ReportedEmail',
		{
			export: (customer) =>
				createExportRun(customer, {
					key: `${SEARCH}/export`,
					fileName: 'reported-emails.csv',
					rowCount: customer.companyData.reportedEmails.length,
					parameters: customer.companyParameters,
				}),
		},
		{ returnsFile: true, isOutsideContract: true },
	),
];
