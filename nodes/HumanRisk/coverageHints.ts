import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import type { CompanyLists, PeriodData } from './companyData';
import { COVERAGE_FIELDS_NEEDING_ALL_KINDS, type PersonCoverage } from './coverage';
import { listUnknownColumns } from './figures';
import { hasEmail } from './people';
import { addMissingPartsHint } from './readOrAddHint';
import { areSimulationsUnknown } from './simulations';

const NEVER_HINT =
	"Fields that begin with 'never' are empty if the period starts after the customer's first campaign job or enrollment. To fill them, select the 'Period' Custom, and enter an earlier 'Start Date'.";

const NO_EARLIER_ENROLLMENT_HINT =
	"Fields about trainings that end with 'Before' and 'Change' are empty, because the customer had no enrollment until the end of the previous period.";

const NO_EARLIER_JOB_HINT =
	"Fields about simulations that end with 'Before' and 'Change' are empty, because the customer had no campaign job until the end of the previous period.";

/** Adds a hint if it is unknown whether someone without a training or a simulation in the period has ever had one. */
export function addNeverHint(coverages: readonly PersonCoverage[], { addHint }: OperationContext): void {
	const isNeverUnknown = (coverage: PersonCoverage) =>
		(coverage.enrolled === false && coverage.neverEnrolled === null) ||
		(coverage.simulated === false && coverage.neverSimulated === null);
	if (coverages.some(isNeverUnknown)) addHint(NEVER_HINT);
}

/**
 * Adds a hint for the figures of the previous period that are empty, because the customer had no enrollment or campaign job until its end. If
 * no one has an email address, another hint has said so.
 */
export function addNoEarlierRecordHints(
	{ people }: CompanyLists,
	{ hadEnrollment, hadJob }: { hadEnrollment: boolean; hadJob: boolean },
	{ addHint }: OperationContext,
): void {
	if (!people.some(hasEmail)) return;
	if (!hadEnrollment) addHint(NO_EARLIER_ENROLLMENT_HINT);
	if (!hadJob) addHint(NO_EARLIER_JOB_HINT);
}

/** Adds a hint with the names of the customer's fields that are empty because simulations of a period are missing. */
export function addCustomerCoverageHint(
	item: IDataObject,
	data: PeriodData,
	previousData: PeriodData | undefined,
	context: OperationContext,
): void {
	const unknownNames = listUnknownColumns({
		columnNames: COVERAGE_FIELDS_NEEDING_ALL_KINDS,
		comparedColumnNames: ['simulatedPercent'],
		isUnknown: areSimulationsUnknown(data.simulations),
		isPreviousUnknown: previousData !== undefined && areSimulationsUnknown(previousData.simulations),
	});
	addMissingPartsHint('simulations', unknownNames, [item], context);
}

/** Adds a hint with the names of the people's fields that are empty because simulations of the period are missing. */
export function addPersonCoverageHint(
	items: readonly IDataObject[],
	data: PeriodData,
	context: OperationContext,
): void {
	if (areSimulationsUnknown(data.simulations))
		addMissingPartsHint('simulations', COVERAGE_FIELDS_NEEDING_ALL_KINDS, items, context);
}
