import type { IDataObject } from 'n8n-workflow';

import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import type { TimeRange } from '../core/fields/relativePeriods';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { getTargetUsersOperation } from '../domain/people/targetUsersOperation';
import { readActivePeople, type Person } from './people';
import {
	findFirstJobMs,
	readJobLists,
	readSimulations,
	SIMULATION_DEPENDENCIES,
	type JobLists,
	type Simulations,
} from './simulations';
import {
	findFirstEnrollmentMs,
	readEnrollments,
	readTrainings,
	TRAINING_DEPENDENCIES,
	type Trainings,
} from './trainings';

/*
 * How unknown values are written
 *
 * - A figure that is unknown is null: a number, a yes or no, or a time in ms since 1970. It becomes an output field that is null.
 * - A list that can't be read is undefined.
 * - A first record at Infinity isn't unknown: there is no record.
 * - `unknownKinds` and `isUnknown` say that something is missing from a map of people. A person without an entry may then have got something
 *   that isn't in the map. A person with an entry may have got more, so counts are unknown, but what the entry shows is certain.
 * - A person without `emailKey` can't be found in any map, so all figures of this person are null.
 */

/** The operations whose requests read the data of a company. */
export const COMPANY_DATA_DEPENDENCIES = [
	getTargetUsersOperation,
	...SIMULATION_DEPENDENCIES,
	...TRAINING_DEPENDENCIES,
];

/** The lists of a company that are the same for every period. */
export interface CompanyLists {
	people: Person[];
	jobLists: JobLists;
	enrollments: IDataObject[] | undefined;
	/** The start of the first campaign job, in ms since 1970. Infinity if there is no job, null if the start is unknown. */
	firstJobMs: number | null;
	/** The start of the first enrollment, in ms since 1970. Infinity if there is no enrollment, null if the start is unknown. */
	firstEnrollmentMs: number | null;
}

/** The simulations and the trainings of a company's people in a period. */
export interface PeriodData {
	timeRange: TimeRange;
	simulations: Simulations;
	trainings: Trainings;
}

/**
 * Reads the lists of a company.
 * @param simulators the kinds of simulations to read
 * @throws RequestError, also if the list of people can't be read, because all figures need it
 */
export async function readCustomerLists(
	helpers: OperationHelpers,
	simulators: readonly Simulator[] = SIMULATORS,
): Promise<CompanyLists> {
	const people = await readActivePeople(helpers);
	const jobLists = await readJobLists(helpers, simulators);
	const enrollments = await readEnrollments(helpers);
	return {
		people,
		jobLists,
		enrollments,
		firstJobMs: findFirstJobMs(jobLists),
		firstEnrollmentMs: findFirstEnrollmentMs(enrollments),
	};
}

/** Reads the simulations and the trainings of a company's people in a period. @throws RequestError */
export async function readPeriodData(
	{ jobLists, enrollments }: CompanyLists,
	timeRange: TimeRange,
	helpers: OperationHelpers,
): Promise<PeriodData> {
	const simulations = await readSimulations(jobLists, timeRange, helpers);
	const trainings = await readTrainings(enrollments, timeRange, helpers);
	return { timeRange, simulations, trainings };
}
