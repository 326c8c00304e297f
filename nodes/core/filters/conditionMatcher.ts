import { gt, gte, lt, lte } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	toItemJson,
	filterRecords,
	formatList,
	isEmpty,
	isScalar,
	normalizeText,
	parseNumber,
	readLastMoment,
} from '../values';
import type { ComparisonType, Condition, ConditionOperator } from './conditions';

type ComparableValue = string | number;

/** Converts a value of a record or of a condition, so that the two can be compared. The result is NaN if that is impossible. */
type ValueConverter = (value: unknown, timezone: string) => ComparableValue;

/** Normalizes a text, so that the comparison ignores case, accents and spaces. */
const readNormalizedText: ValueConverter = (value) =>
	isScalar(value) ? normalizeText(String(value)).replaceAll(' ', '') : NaN;

/** Keeps a text unchanged. It is used for 'Not Equals', which must not exclude a record whose text is only similar. */
const readExactText: ValueConverter = (value) => (isScalar(value) ? String(value) : NaN);

/** Converts a date to ms since 1970. A date without a time means the end of that day. */
const readTime: ValueConverter = (value, timezone) => readLastMoment(value, timezone).toMillis();

/** Returns the function that converts the two values that a condition compares. */
function selectConverter(type: ComparisonType, operator: ConditionOperator): ValueConverter {
	if (operator === 'neq' && (type === 'text' || type === 'choice')) return readExactText;
	if (type === 'number') return parseNumber;
	if (type === 'date') return readTime;
	return readNormalizedText;
}

type Comparison = (recordValue: ComparableValue, conditionValues: ComparableValue[]) => boolean;

/** For each operator, compares one value of a record with the values of a condition. Only conditions with 'Is One Of' have several values. */
const COMPARISONS: Record<Exclude<ConditionOperator, 'neq'>, Comparison> = {
	contains: (recordValue, conditionValues) =>
		conditionValues.some((value) => String(recordValue).includes(String(value))),
	eq: (recordValue, conditionValues) => conditionValues.includes(recordValue),
	gt: (recordValue, [value]) => gt(recordValue, value),
	gte: (recordValue, [value]) => gte(recordValue, value),
	in: (recordValue, conditionValues) => conditionValues.includes(recordValue),
	lt: (recordValue, [value]) => lt(recordValue, value),
	lte: (recordValue, [value]) => lte(recordValue, value),
};

/**
 * Checks whether a record meets a condition. A record in which the compared field is empty only meets conditions with 'Not Equals'.
 * @returns undefined if the record can't be compared with the condition
 */
function compareWithCondition(condition: Condition, record: IDataObject, timezone: string): boolean | undefined {
	const { filterItem, operator, filterableField } = condition;
	if (filterableField?.recordField === undefined) return undefined;
	const recordValue = record[filterableField.recordField];
	if (recordValue === undefined) return undefined;
	if (isEmpty(recordValue)) return operator === 'neq';
	const convert = selectConverter(filterableField.type, operator);
	const recordValues = [recordValue].flat().map((value) => convert(value, timezone));
	const rawConditionValues = operator === 'in' ? filterItem.Value.split(',') : [filterItem.Value];
	const conditionValues = rawConditionValues.map((rawValue) => convert(rawValue, timezone));
	if ([...recordValues, ...conditionValues].some(Number.isNaN)) return undefined;
	if (operator === 'neq') return !recordValues.some((value) => conditionValues.includes(value));
	return recordValues.some((value) => COMPARISONS[operator](value, conditionValues));
}

/**
 * Creates a matcher, which checks whether the records that the platform returned really meet the conditions. The check is needed because a
 * platform may ignore a condition without reporting it (deployment activity 10).
 * @param isOneConditionEnough true if a record needs to meet only one of the conditions
 * @param timezone the workflow's time zone
 */
export function createConditionMatcher(
	conditions: readonly Condition[],
	isOneConditionEnough: boolean,
	timezone: string,
) {
	const ignoredFieldNames = new Set<string>();
	const findFailedConditions = (record: IDataObject) =>
		conditions.filter((condition) => compareWithCondition(condition, record, timezone) === false);
	const isMatch = (record: IDataObject): boolean => {
		const maxFailedCount = isOneConditionEnough ? conditions.length - 1 : 0;
		if (findFailedConditions(record).length <= maxFailedCount) return true;
		return filterRecords(record.children).some((child) => isMatch(toItemJson(child)));
	};
	return {
		/** Returns false if it is certain that a record doesn't match. A company also matches if one of its child companies does. */
		isMatch,
		/**
		 * Returns true if one of the output rows of a record matches. If none does, the platform should not have returned the record. The
		 * conditions that the record doesn't meet are then remembered for the hint.
		 */
		hasMatch: (rows: IDataObject[]) => {
			if (rows.some(isMatch)) return true;
			for (const { filterableField } of rows.slice(0, 1).flatMap(findFailedConditions)) {
				if (filterableField) ignoredFieldNames.add(`'${filterableField.name}'`);
			}
			return false;
		},
		/** Builds the hint about the conditions that the platform ignored. @returns undefined if it ignored none */
		buildHint: () =>
			ignoredFieldNames.size === 0
				? undefined
				: `The platform ignored the conditions on ${formatList([...ignoredFieldNames])}, or compares them in another way. The node left out the records that don't match.`,
	};
}
