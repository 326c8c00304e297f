/** The leaderboard's lists, which the contract has as files alone (deployment beyond). */
import { z } from 'zod';
import { check, found, int32, invalid } from '../envelope';
import { beside, ok, reading, type Call, type Route, type Row } from '../http';
import { arrange } from '../paging';
import { between, pick, seeded, shortId } from '../random';
import { ordered, period, points, usersOf } from '../routes/leaderboard';
import type { TargetUser } from '../seed';
import { person, phoneNumber } from './lists';

const page = z
	.object({ pageNumber: int32.min(1), pageSize: int32.min(1), orderBy: z.string(), ascending: z.boolean() })
	.partial();

const board = z.object({ ...period, filter: z.unknown(), pagination: page.nullish() }).passthrough();

const ofUser = z.object({ ...period, targetUserResourceId: z.string().min(1) }).passthrough();

const words = z.array(z.string()).nullish();
const timelineBody = ofUser.extend({
	actionTypes: words,
	difficultyTypes: words,
	products: words,
	showOnlyFailedEvents: z.boolean().nullish(),
	pagination: page.nullish(),
});

/** A page of rows, in an order by a field that they have; any other is refused. */
function paged(
	rows: Row[],
	asked: { filter?: unknown; pagination?: z.output<typeof page> | null | undefined },
	call: Call,
) {
	const { orderBy, pageSize = 10, ...rest } = asked.pagination ?? {};
	const known = Object.keys(rows[0] ?? {}).map((name) => name.toLowerCase());
	if (orderBy !== undefined && rows.length > 0 && !known.includes(orderBy.toLowerCase()))
		throw invalid(`The OrderBy field is not valid: ${orderBy}.`);
	const columns = { id: 'targetUserResourceId', name: 'email', text: ['email', 'firstName', 'lastName'] };
	const size = Math.min(pageSize, call.options.maxPageSize);
	const pagination = { ...rest, pageSize: size, ...(orderBy === undefined ? {} : { orderBy }) };
	return arrange(call, rows, columns, { filter: asked.filter, page: pagination, all: false });
}

/** Everybody with their points, the best first. */
function ranked(call: Call): Array<{ user: TargetUser; score: number }> {
	return usersOf(call)
		.map((user) => ({ user, score: points(user) }))
		.sort((one, other) => other.score - one.score);
}

/** A plain list, each row of which has the total number of rows. @param most how many of the best */
const rankingOf =
	(most = Infinity) =>
	(call: Call): Row[] => {
		const asked = check(board, call.json);
		ordered(asked);
		const people = ranked(call).slice(0, most);
		const rows = people.map(({ user, score }, at) => ({
			rank: at + 1,
			targetUserResourceId: user.resourceId,
			...person(user),
			preferredLanguage: user.language,
			phoneNumber: phoneNumber(user),
			points: score,
			performance: score / 50,
			totalRowCount: people.length,
		}));
		return paged(rows, asked, call);
	};

const userOf = (call: Call, id: string): TargetUser =>
	found(
		usersOf(call).find(({ resourceId }) => resourceId === id),
		'target user',
	);

const ACTIONS = ['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted'] as const;
const CAMPAIGNS = ['Invoice Overdue', 'Parcel Waiting'] as const;

/** How many things everybody has done. */
export const EVENTS = 12;

/** What somebody did. An event has no ID of its own: its resourceId is that of the campaign. */
function eventsOf({ resourceId }: TargetUser, day: number): Row[] {
	const next = seeded(`events ${resourceId}`);
	return Array.from({ length: EVENTS }, (_, at) => {
		const name = pick(next, CAMPAIGNS);
		const action = pick(next, ACTIONS);
		const isFailed = action === 'LinkClicked' || action === 'DataSubmitted';
		const time = new Date(day - at * 86_400_000).toISOString();
		const earned = isFailed ? -10 : 20;
		return {
			resourceId: shortId(`campaign ${name}`),
			name,
			timeZoneId: 'UTC',
			campaignPerformance: 50,
			difficultyType: pick(next, ['Easy', 'Medium', 'Hard']),
			points: earned,
			ActionTime: time,
			ActionTimeWithDay: `Thursday, ${time}`,
			trainingType: 1,
			categoryDescription: 'Finance',
			result: isFailed ? 'Failed' : 'Passed',
			campaignType: 'Email',
			productType: action === 'TrainingCompleted' ? 'Training' : 'Phishing',
			ActionType: action,
			pointRule: {
				ruleName: action,
				earned: !isFailed,
				lostPoints: isFailed ? 10 : 0,
				rulePoint: 20,
				lastPoint: earned,
			},
		};
	});
}

const among = (wanted: string[] | null | undefined, value: unknown) =>
	!wanted || wanted.length === 0 || wanted.includes(String(value));

function timeline(call: Call): Row[] {
	const { filter: _none, ...asked } = check(timelineBody.extend({ filter: z.undefined() }), call.json);
	ordered(asked);
	const events = eventsOf(userOf(call, asked.targetUserResourceId), call.world.day).filter(
		({ ActionType, difficultyType, productType, result }) =>
			among(asked.actionTypes, ActionType) &&
			among(asked.difficultyTypes, difficultyType) &&
			among(asked.products, productType) &&
			(asked.showOnlyFailedEvents !== true || result === 'Failed'),
	);
	return paged(events, asked, call);
}

const TYPES = ['Phishing', 'Smishing', 'Quishing'] as const;

function performance(call: Call): Row[] {
	const asked = check(ofUser, call.json);
	ordered(asked);
	const user = userOf(call, asked.targetUserResourceId);
	const next = seeded(`performance ${user.resourceId}`);
	return TYPES.map((phishingType, at) => ({
		rank: between(next, 1, 100),
		phishingTypeId: at + 1,
		phishingType,
		performance: between(next, 0, 100),
		totalPerformance: between(next, 0, 100),
		totalPoints: points(user),
	}));
}

const choices = (values: readonly string[]): Row[] =>
	values.map((value) => ({ text: value.replace(/(?<=.)(?=[A-Z])/g, ' '), value, extraDatas: [] }));

const FORM: Row = {
	gamificationActionTypes: choices(ACTIONS),
	gamificationProductTypes: choices(['Phishing', 'Smishing', 'Quishing', 'Training']),
	gamificationScenarioDifficultyTypes: choices(['Easy', 'Medium', 'Hard']),
	gamificationTrainingCategories: choices(['Basics', 'Advanced', 'Compliance']),
};

/** How many the platform counts among the best. */
export const TOP = 10;

const listing = (name: string, rows: (call: Call) => Row[]): Route => ({
	key: `POST /api/leaderboard/${name}`,
	access: 'any',
	takes: 'json',
	handle: (call) => ok(rows(call)),
});

/** What is beside the leaderboard's exports. */
export function leaderboardRowRoutes(): Route[] {
	return [
		listing('get-all', rankingOf()),
		listing('get-top-performers', rankingOf(TOP)),
		listing('get-user-timeline', timeline),
		listing('user-performance', performance),
		reading('GET /api/leaderboard/form-details', () => FORM),
	].map(beside);
}
