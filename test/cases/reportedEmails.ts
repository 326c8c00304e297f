/** The cases for suspicious emails that users reported, which only live deployments have. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import {
	defineCases,
	createExportRun,
	createListRun,
	expectOnlyItem,
	createRecordRun,
	requireValue,
	type Case,
} from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';

const PATH = '/api/notified-emails';
const SEARCH = `POST ${PATH}/search`;
const READ_REQUEST = `GET ${PATH}/{resourceId}`;
const UPDATE_REQUEST = `PUT ${PATH}/{resourceId}`;

/** Finds a seeded email with tags and a note. */
const findReportedEmail = ({ companyData, companyParameters }: CustomerFixture) => {
	const email = requireValue(companyData.reportedEmails[0]);
	return { email, parameters: { ...companyParameters, reportedEmail: toIdLocator(email.resourceId) } };
};

/** The text that the node must extract from the email's HTML body. */
const BODY_TEXT = 'Dear customer,\nyour invoice is overdue & must be paid: Pay now';

export const reportedEmailCases: Case[] = [
	...defineCases(
		'ReportedEmail',
		{
			getMany: async (customer) => createListRun(customer, SEARCH),
			get: async (customer) => {
				const { email, parameters } = findReportedEmail(customer);
				const addedFields = { resourceId: email.resourceId, bodyText: BODY_TEXT };
				return await createRecordRun(customer, `GET ${PATH}/${email.resourceId}`, parameters, addedFields);
			},
			update: (customer) => {
				const { email, parameters } = findReportedEmail(customer);
				const { tags, note, customMessage } = email;
				const additionalFields = { status: toIdLocator('Closed'), result: toIdLocator('Spam, by our AI') };
				return {
					parameters: { ...parameters, additionalFields },
					itemCount: 1,
					requiredRequests: [READ_REQUEST, UPDATE_REQUEST, READ_REQUEST],
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(email.resourceId) });
						assert.deepEqual(
							{ ...email },
							{
								...email,
								status: 'Closed',
								result: 'Spam, by our AI',
								tags,
								note,
								customMessage,
								isNotifyUser: false,
								sentEmailCount: 0,
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
		{ hasFileOutput: true, isOutsideContract: true },
	),
];
