/** What people did in a period, over all campaigns and all enrollments of a company (deployment activity 3). */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { invalid } from '../envelope';
import { beside, type Call, type Route, type Row } from '../http';
import { peopleOf, type Deed } from '../routes/campaign-people';
import { campaignsOf, wasSent } from '../routes/campaigns';
import { details } from '../routes/companies';
import { progressOf } from '../routes/training-reports';
import { strictSearch, type StrictListing } from './lists';

const fields = {
	startDate: z.string().nullish(),
	endDate: z.string().nullish(),
	groupByUser: z.boolean().nullish(),
};

/** A date as it is taken: ISO 8601, or as the company displays it, in UTC. */
function timeOf(call: Call, value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const { dateFormat, timeFormat } = details(call.home.company, call);
	const shown = `${String(dateFormat)} ${timeFormat === '12h' ? 'hh:mm a' : 'HH:mm'}`;
	const time =
		call.options.activityDates === 'iso'
			? DateTime.fromISO(value, { zone: 'utc' })
			: DateTime.fromFormat(value, shown, { zone: 'utc' });
	if (!time.isValid) throw invalid(`The value '${value}' is not valid for StartDate.`);
	return time.toMillis();
}

/** Rows of a period, with the number of all; or one for each person, with names and totals alone. */
function ofPeriod(call: Call, body: Row, rows: Row[], counts: readonly string[]): Row[] {
	const [from = -Infinity, until = Infinity] = [timeOf(call, body.startDate), timeOf(call, body.endDate)];
	const inPeriod = rows.filter(({ createTime }) => {
		const time = Date.parse(String(createTime));
		return time >= from && time <= until;
	});
	const people = new Map<string, Row>();
	for (const row of inPeriod) {
		const email = String(row.email);
		const totals = people.get(email) ?? {};
		const summed = counts.map((name): [string, number] => [name, Number(totals[name] ?? 0) + Number(row[name])]);
		people.set(email, { firstName: row.firstName, lastName: row.lastName, email, ...Object.fromEntries(summed) });
	}
	const given = body.groupByUser === true ? [...people.values()] : inPeriod;
	return given.map((row) => ({ ...row, totalRowCount: given.length }));
}

const DEEDS = {
	opened: 'opened',
	clicked: 'clicked',
	replied: 'replied',
	attachmentOpened: 'attachmentOpened',
	dataSubmitted: 'submitted',
	reported: 'reported',
} as const satisfies Record<string, Deed>;

/** Each activity is a row; nothing in it tells a bot from a person. */
const PHISHING: StrictListing = {
	rows(call, body) {
		const people = campaignsOf(call, 'phishing')
			.filter(wasSent)
			.flatMap((campaign) =>
				campaign.instanceGroups.flatMap((group) =>
					peopleOf(call.world, campaign, group).map((person) => ({ campaign, person })),
				),
			);
		const rows = people.flatMap(({ campaign: { name, scenario, difficulty }, person: { user, done } }) =>
			Object.entries(DEEDS).flatMap(([count, deed]) =>
				done[deed].map(({ time }) => ({
					firstName: user.firstName,
					lastName: user.lastName,
					email: user.email,
					campaignName: name,
					...Object.fromEntries(Object.keys(DEEDS).map((each) => [each, each === count ? 1 : 0])),
					scenarioName: scenario,
					difficulty,
					categoryName: 'Delivery',
					createTime: time,
				})),
			),
		);
		return ofPeriod(call, body, rows, Object.keys(DEEDS));
	},
	id: 'email',
	name: 'firstName',
	text: ['email', 'firstName', 'lastName'],
	fields,
};

const TRAINING: StrictListing = {
	rows(call, body) {
		const enrollments = call.companies.flatMap((company) => call.world.of(company).enrollments);
		const rows = enrollments.flatMap(({ resourceId, name, type }) =>
			progressOf({ ...call, params: { enrollmentId: resourceId } }).people.map(({ user, status, score, sentTime }) => ({
				firstName: user.firstName,
				lastName: user.lastName,
				email: user.email,
				enrollmentName: name,
				contentType: type,
				trainingStatus: status === 'Completed' ? 'Completed' : 'NotCompleted',
				enrolledOn: sentTime,
				createTime: sentTime,
				examScore: score,
				startedOn: status === 'NotStarted' ? null : sentTime,
				completedOn: status === 'Completed' ? sentTime : null,
				openedTrainingEmail: status === 'NotStarted' ? 0 : 1,
				clickedTrainingEmail: status === 'NotStarted' ? 0 : 1,
				completedCount: status === 'Completed' ? 1 : 0,
				notCompletedCount: status === 'Completed' ? 0 : 1,
			})),
		);
		const counts = ['openedTrainingEmail', 'clickedTrainingEmail', 'completedCount', 'notCompletedCount'];
		return ofPeriod(call, body, rows, counts);
	},
	id: 'email',
	name: 'firstName',
	text: ['email', 'firstName', 'lastName'],
	fields,
};

export function activityRoutes(): Route[] {
	return [
		beside(strictSearch('POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search', PHISHING)),
		beside(strictSearch('POST /api/training-reports/activity-users/search', TRAINING)),
	];
}
