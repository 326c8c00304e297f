import type { IDataObject } from 'n8n-workflow';

import { get as getEnrollment, getMany as getEnrollments } from '../Enrollment/operations';
import { recordOutput, type KnownFields } from '../core/response/outputFields';
import { mustHaveValues } from '../core/fields/field';
import { choice, toggle } from '../core/fields/fieldTypes';
import { isWithin, windowFields, windowOf } from '../core/fields/period';
import { defineComposite, type Operation, type Tools } from '../core/operation/defineOperation';
import { readEach } from '../core/operation/readEach';
import { ENROLLMENT_ID } from '../domain/pickers/resourcePickers';
import { identityOf, isEmpty, normalized, plural, readLastMoment, toJson, valueOf } from '../core/values';
import { readActivePeople } from './activePeople';
import { trainingNames } from './trainingFigures';
import { isTest } from '../domain/testRecords';

/** How far a person is: the fields of the row (deployment shapes), with those that our operations add. */
export const PROGRESS: KnownFields = {
	id: ['targetUserResourceId'],
	simplified: [
		'email',
		'firstName',
		'lastName',
		'department',
		'trainingName',
		'enrollmentName',
		'status',
		'score',
		'completed',
		'due',
		'enrollmentId',
		'targetUserResourceId',
		'resourceId',
	],
	others: ['examStatusName', 'lastInteractionDate', 'phoneNumber', 'deliveryType', 'customFieldValues'],
};

/** The same fields with `isActive`, for which the list of people must be read. */
const WITH_ACTIVE: KnownFields = {
	...PROGRESS,
	simplified: PROGRESS.simplified.flatMap((name) => (name === 'department' ? [name, 'isActive'] : [name])),
};

const output = recordOutput(WITH_ACTIVE);

/** What a row of a person says nothing of: the names of the training and the enrollment, and when it is due. */
type About = IDataObject & { due: IDataObject[string] };

/** When an enrollment is due, by its record (contract 4.7; deployment shapes). */
const dueOf = (enrollment: IDataObject) =>
	valueOf({ ...toJson(enrollment.enrollmentScheduler), ...enrollment }, ['dueDate']);

/** A person's row with the score and the dates under the same names on every platform. */
export const withProgress = (row: IDataObject, about: About): IDataObject => ({
	...about,
	score: valueOf(row, ['examScore', 'score']),
	completed: valueOf(row, ['firstCompletionDate']),
	...row,
});

/** What is told of an enrollment beside its people; nothing where it cannot be read, because the people are found already. */
export async function aboutEnrollmentOf(id: string, summary: Operation, { ask }: Tools): Promise<About> {
	const read = async (operation: Operation, path: Record<string, string>) =>
		ask(operation, { path }).then(
			({ data }) => toJson(data),
			() => ({}),
		);
	const enrollment = await read(getEnrollment, { resourceId: id });
	const names = trainingNames(enrollment);
	// The record of live deployments does not name the training (deployment shapes).
	const named = isEmpty(names.trainingName) ? trainingNames(await read(summary, { enrollmentId: id })) : names;
	return { ...names, trainingName: named.trainingName, due: dueOf(enrollment) };
}

const saysIn = (row: IDataObject, name: string) => normalized(identityOf(row, [name]) ?? '');

/** By the words of deployment behaviour, "Training reports". */
const isFinished = (row: IDataObject): boolean => !isEmpty(row.completed) || saysIn(row, 'status') === 'completed';

/** The rows that each choice keeps. A due date without a time lasts until its day is over in the workflow's time zone. */
const WHO: Record<string, (row: IDataObject, timezone: string) => boolean> = {
	all: () => true,
	failed: (row) => saysIn(row, 'examStatusName') === 'failed',
	finished: isFinished,
	notFinished: (row) => !isFinished(row),
	overdue: (row, timezone) => !isFinished(row) && readLastMoment(row.due, timezone).toMillis() < Date.now(),
};

const fields = mustHaveValues({
	...windowFields,
	excludeTests: toggle({
		displayName: 'Exclude Tests',
		default: true,
		description: 'Whether to leave out enrollments that are marked as a test',
	}),
	onlyPeopleWho: choice({
		displayName: 'Only People Who',
		description: 'Which people to return',
		default: 'all',
		options: [
			{
				name: 'Are Overdue',
				value: 'overdue',
				description: "Have not finished, and the due date has passed in the workflow's time zone",
			},
			{ name: 'Failed', value: 'failed', description: 'Failed the exam' },
			{ name: 'Finished', value: 'finished' },
			{ name: 'Have Not Finished', value: 'notFinished' },
			{ name: 'Were Enrolled', value: 'all', description: 'Everybody' },
		],
	}),
});

/** The operation that returns every enrollment of a period, a row per person. @param users lists the people of one enrollment */
export function progressOfPeriod(users: Operation): Operation {
	return defineComposite({
		value: 'progressOfPeriod',
		name: 'Get Training Progress of Period',
		description:
			'Get who is how far in every enrollment that began in a period, a row per person in each, at every customer',
		outputNote:
			"'isActive' is false for people who were deactivated or deleted, and empty if the platform doesn't show it. It needs one more request for every 500 people of a customer. To save these requests, use 'Selected Fields' without it.",
		scope: 'companies',
		fields: { ...fields, ...output.fields },
		reads: true,
		uses: [getEnrollments, getEnrollment, users],
		run: async ({ excludeTests, onlyPeopleWho, output: which, outputFields, ...period }, tools) => {
			const { timezone, hint, looked } = tools.context;
			const window = windowOf(period, timezone);
			const all = await tools.list(getEnrollments, {}, { identity: ENROLLMENT_ID });
			const found = all.filter((row) => isWithin(startOf(row), window));
			looked({ thing: 'enrollment', count: found.length, none: 'nobody in them' });
			const undated = found.filter((row) => startOf(row) === undefined).length;
			if (undated > 0) hint(UNDATED, plural(undated, 'enrollment'));
			const enrollments = found.flatMap((row) => {
				const enrollmentId = identityOf(row, ENROLLMENT_ID);
				return enrollmentId === undefined ? [] : [{ enrollmentId, row }];
			});
			const describe = ({ enrollmentId, row }: (typeof enrollments)[number]) =>
				`${identityOf(trainingNames(row), ['enrollmentName', 'trainingName']) ?? 'No name'} (${enrollmentId})`;
			const read = async ({ enrollmentId, row }: (typeof enrollments)[number]) => {
				const enrollment = toJson((await tools.ask(getEnrollment, { path: { resourceId: enrollmentId } })).data);
				if (excludeTests && (isTest(row) || isTest(enrollment))) return [];
				const about = { ...trainingNames(row), enrollmentId, due: dueOf(enrollment) };
				const people = await tools.list(users, { path: { enrollmentId } }, { identity: [] });
				return people.map((person) => withProgress(person, about));
			};
			const rows = await readEach(enrollments, { thing: 'enrollment', describe, read }, tools.context);
			const isWanted = WHO[onlyPeopleWho] ?? (() => true);
			const wanted = rows.flat().filter((row) => isWanted(row, timezone));
			const isShown = which !== 'selected' || (outputFields ?? []).includes('isActive');
			const isActive = isShown && wanted.length > 0 ? await readActivePeople(tools) : undefined;
			return wanted
				.map((row) => (isActive ? { ...row, isActive: isActive(row) } : row))
				.map(output.of({ output: which, outputFields }));
		},
	});
}

const UNDATED = 'Enrollments without a date are in the output, whatever the period is.';

/** When an enrollment began, or else was made. */
const startOf = (row: IDataObject) => identityOf(row, ['startDate', 'createTime']);
