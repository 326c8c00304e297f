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

/** Converts a value for a comparison. The result is NaN if the value cannot be compared. */
type ValueConverter = (value: unknown, timezone: string) => ComparableValue;

/** Reads a text for a comparison that ignores case, accents and spaces. */
const readNormalizedText: ValueConverter = (value) =>
	isScalar(value) ? normalizeText(String(value)).replaceAll(' ', '') : NaN;

/** Reads a text unchanged, because 'Not Equals' must not exclude a record whose text is only similar. */
const readExactText: ValueConverter = (value) => (isScalar(value) ? String(value) : NaN);

/** Reads a date as ms since 1970. A date without a time means the end of that day. */
const readTime: ValueConverter = (value, timezone) => readLastMoment(value, timezone).toMillis();

/** Selects the conversion of the values that a condition compares. */
function selectConverter(type: ComparisonType, operator: ConditionOperator): ValueConverter {
	if (operator === 'neq' && (type === 'text' || type === 'choice')) return readExactText;
	if (type === 'number') return parseNumber;
	if (type === 'date') return readTime;
	return readNormalizedText;
}

type Comparison = (recordValue: ComparableValue, conditionValues: ComparableValue[]) => boolean;

/** The comparisons of one value of a record with the values of a condition. Only a condition with 'Is One Of' can have several values. */
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
 * Compares a record with a condition. If the record's field is empty, the record meets only a condition with 'Not Equals'.
 * @returns true if the record meets the condition, undefined if the two cannot be compared
 */
function compareWithCondition(condition: Condition, record: IDataObject, timezone: string): boolean | undefined {
	const { filterItem, operator, filterableField } = condition;
	if (filterableField?.recordField === undefined) return undefined;
	const recordValue = record[filterableField.recordField];
	if (recordValue === undefined) return undefined;
	if (isEmpty(recordValue)) return operator === 'neq';
	const convert = selectConverter(filterableField.type, operator);
	const recordValues = [recordValue].flat().map((value) => convert(value, timezone));
	const texts = operator === 'in' ? filterItem.Value.split(',') : [filterItem.Value];
	const conditionValues = texts.map((text) => convert(text, timezone));
	if ([...recordValues, ...conditionValues].some(Number.isNaN)) return undefined;
	if (operator === 'neq') return !recordValues.some((value) => conditionValues.includes(value));
	return recordValues.some((value) => COMPARISONS[operator](value, conditionValues));
}

/**
 * Creates a matcher that compares the returned records with the conditions again, because a platform doesn't report that it ignores a
 * condition (deployment activity 10).
 * @param isOneEnough true if a record needs to meet only one of the conditions
 * @param timezone the workflow's time zone
 */
export function createConditionMatcher(conditions: readonly Condition[], isOneEnough: boolean, timezone: string) {
	const ignoredFields = new Set<string>();
	const findFailedConditions = (record: IDataObject) =>
		conditions.filter((condition) => compareWithCondition(condition, record, timezone) === false);
	const isMatch = (record: IDataObject): boolean => {
		const maxFailedCount = isOneEnough ? conditions.length - 1 : 0;
		if (findFailedConditions(record).length <= maxFailedCount) return true;
		return filterRecords(record.children).some((child) => isMatch(toItemJson(child)));
	};
	return {
		/** Returns false if a record certainly doesn't match, otherwise true. A company also matches if one of its child companies does. */
		isMatch,
		/**
		 * Returns true if one of the output rows of a record matches. Otherwise the platform should have left the record out, so the failed
		 * conditions are remembered for the hint.
		 */
		hasMatch: (rows: IDataObject[]) => {
			if (rows.some(isMatch)) return true;
			for (const { filterableField } of rows.slice(0, 1).flatMap(findFailedConditions)) {
				if (filterableField) ignoredFields.add(`'${filterableField.name}'`);
			}
			return false;
		},
		/** Builds the hint about the conditions that the platform ignored. @returns undefined if there are none */
		buildHint: () =>
			ignoredFields.size === 0
				? undefined
				: `The platform ignored ${formatList([...ignoredFields])} in 'Conditions', or compares it in another way: what does not match was left out here.`,
	};
}
