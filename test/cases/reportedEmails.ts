/** Real mails that people reported, where a platform has them. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { casesOf, file, lists, only, shows, the, type Case } from './case';
import { byId, type CustomerFixture } from './customerFixture';

const PATH = '/api/notified-emails';
const SEARCH = `POST ${PATH}/search`;
const GET = `GET ${PATH}/{resourceId}`;
const PUT = `PUT ${PATH}/{resourceId}`;

/** One with tags and a note. */
const reported = ({ holdings, scoped }: CustomerFixture) => {
	const mail = the(holdings.reportedEmails[0]);
	return { mail, parameters: { ...scoped, reportedEmail: byId(mail.resourceId) } };
};

/** Its body without what is no text. */
const TEXT = 'Dear customer,\nyour invoice is overdue & must be paid: Pay now';

export const reportedEmailCases: Case[] = [
	...casesOf(
		'ReportedEmail',
		{
			getMany: async (customer) => lists(customer, SEARCH),
			get: async (customer) => {
				const { mail, parameters } = reported(customer);
				const added = { resourceId: mail.resourceId, bodyText: TEXT };
				return await shows(customer, `GET ${PATH}/${mail.resourceId}`, parameters, added);
			},
			update: (customer) => {
				const { mail, parameters } = reported(customer);
				const { tags, note, customMessage } = mail;
				return {
					parameters: { ...parameters, additionalFields: { status: byId('Closed'), result: byId('Spam, by our AI') } },
					items: 1,
					requests: [GET, PUT, GET],
					expect: (items) => {
						only(items, { resourceId: z.literal(mail.resourceId) });
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
		{ isBeside: true },
	),
	...casesOf(
		'ReportedEmail',
		{
			export: (customer) =>
				file(customer, {
					key: `${SEARCH}/export`,
					fileName: 'reported-emails.csv',
					rows: customer.holdings.reportedEmails.length,
					parameters: customer.scoped,
				}),
		},
		{ isFile: true, isBeside: true },
	),
];
