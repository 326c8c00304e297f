/** The triggers that the histories happen to. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { StandIn } from '../../stand-in';
import { Active, campaignTrigger, enrollmentTrigger, withCursor, type List } from '../pollingFixture';

/** How many hours late a record may become visible. */
export const WINDOW = 5;
export const COMPANIES = 2;

export interface Setup {
	label: string;
	lists: List[];
	companies: number;
	make: (service: StandIn, options: IDataObject) => Active;
	search: (list: List) => string;
	/** Whether n8n's durable poller polls, which saves the state of every poll. */
	isDurable?: boolean;
}

const searchOf = (list: List) =>
	list === 'enrollment' ? 'POST /api/enrollments/search' : `POST /api/${list}-simulator/${list}-campaign/search`;

const made: Setup[] = [
	{
		label: 'campaigns of two simulators, every company at once',
		lists: ['phishing', 'smishing'],
		companies: COMPANIES,
		search: searchOf,
		make: (service, options) =>
			new Active(campaignTrigger(), { simulators: ['phishing', 'smishing'], companyScope: 'every', options }, service),
	},
	{
		label: 'enrollments, company by company',
		lists: ['enrollment'],
		companies: COMPANIES,
		search: searchOf,
		make: (service, options) => new Active(enrollmentTrigger(), { companyScope: 'every', options }, service),
	},
	{
		label: 'enrollments with their details, company by company, the durable poller',
		lists: ['enrollment'],
		companies: COMPANIES,
		search: searchOf,
		isDurable: true,
		make: (service, options) => {
			const active = new Active(
				enrollmentTrigger(),
				{ companyScope: 'every', options: { ...options, includeDetails: true } },
				service,
			);
			withCursor(active.node);
			return active;
		},
	},
	{
		label: 'campaign jobs, whose list shows no create time, company by company',
		lists: ['phishing'],
		companies: COMPANIES,
		search: (list) => `POST /api/${list}-simulator/${list}-campaign-job-report/search`,
		make: (service, options) =>
			new Active(
				campaignTrigger(),
				{
					simulators: ['phishing'],
					watch: 'jobs',
					companyScope: 'every',
					companyFilter: { licenceNotExpired: false },
					options,
				},
				service,
			),
	},
	{
		label: 'campaigns, the credential its own',
		lists: ['quishing'],
		companies: 1,
		search: searchOf,
		make: (service, options) =>
			new Active(campaignTrigger(), { simulators: ['quishing'], companyScope: 'own', options }, service),
	},
];
/** All of them, each with the name that a failing history is told with. */
export const setups = made.map((setup) => ({ ...setup, [fc.toStringMethod]: () => setup.label }));
