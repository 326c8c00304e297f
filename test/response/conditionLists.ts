/** The lists, and the filter conditions on them, that conditions.test.ts tests. */
import type { IDataObject } from 'n8n-workflow';
import { parseText } from '../n8n-core/nodeFixture';

export interface ConditionCase {
	operator: string;
	/** The name of the record field in the request. */
	field: string;
	value: string;
	/** Returns true if a record meets the condition. */
	isMatch: (record: IDataObject) => boolean;
	/** The name of the record field in hints. It is undefined if the node can't check the condition itself. */
	name?: string;
	/** True if the user enters the name of the record field as text instead of selecting it. */
	isNameEntered?: boolean;
}

/** A list, and a function that creates its conditions from a sample record. */
export type ConditionList = [
	listName: string,
	node: string,
	operation: string,
	createConditions: (sample: IDataObject) => ConditionCase[],
];

const NUMBER_COMPARISONS: Array<[operator: string, compare: (value: number, limit: number) => boolean]> = [
	['gt', (value, limit) => value > limit],
	['gte', (value, limit) => value >= limit],
	['lt', (value, limit) => value < limit],
	['lte', (value, limit) => value <= limit],
];

/**
 * Creates the conditions that compare a number or a date.
 * @param field the name of the record field in the request
 * @param recordField the name of the record field in the response
 * @param name the name of the record field in hints. If it is missing, the user enters `field` as text.
 */
function createComparisons(field: string, recordField: string, limit: unknown, name?: string): ConditionCase[] {
	const toNumber = (value: unknown) => (typeof value === 'number' ? value : Date.parse(parseText(value)));
	return NUMBER_COMPARISONS.map(([operator, compare]) => {
		const isMatch = (record: IDataObject) => compare(toNumber(record[recordField]), toNumber(limit));
		const condition = { operator, field, value: String(limit), isMatch };
		return name ? { ...condition, name } : { ...condition, isNameEntered: true };
	});
}

const LEVELS = ['Beginner', 'Intermediate', 'Expert'];
export const toLowerCase = (value: unknown) => parseText(value).toLowerCase();

/** The tested lists. Each has conditions with all eight operators, whose values come from a sample record of the list. */
export const CONDITION_LISTS: ConditionList[] = [
	[
		'companies',
		'Company',
		'getMany',
		(sample) => [
			{
				operator: 'contains',
				field: 'CompanyName',
				value: 'BAKERY',
				name: 'Company Name',
				isMatch: ({ companyName }) => toLowerCase(companyName).includes('bakery'),
			},
			{
				operator: 'eq',
				field: 'CompanyName',
				value: parseText(sample.companyName),
				name: 'Company Name',
				isMatch: ({ companyName }) => companyName === sample.companyName,
			},
			{
				operator: 'neq',
				field: 'LicenceExpired',
				value: 'false',
				name: 'License Expired',
				isMatch: ({ licenceExpired }) => licenceExpired === true,
			},
			{
				operator: 'in',
				field: 'LicenseTypeResourceId',
				name: 'License Type ID',
				value: `none, ${parseText(sample.licenseTypeResourceId)}`,
				isMatch: ({ licenseTypeResourceId }) => licenseTypeResourceId === sample.licenseTypeResourceId,
			},
			...createComparisons('TargetUserCount', 'targetUserCount', sample.targetUserCount, 'Target Users'),
		],
	],
	[
		'companies of a group',
		'CompanyGroup',
		'member.getMany',
		(sample) => [
			{
				operator: 'contains',
				field: 'CompanyName',
				value: parseText(sample.companyName).slice(0, 6),
				name: 'Company Name',
				isMatch: ({ companyName }) => parseText(companyName).includes(parseText(sample.companyName).slice(0, 6)),
			},
			{
				operator: 'eq',
				field: 'IndustryResourceId',
				value: parseText(sample.industryResourceId),
				name: 'Industry ID',
				isMatch: ({ industryResourceId }) => industryResourceId === sample.industryResourceId,
			},
			{
				operator: 'neq',
				field: 'CompanyName',
				value: parseText(sample.companyName),
				name: 'Company Name',
				isMatch: ({ companyName }) => companyName !== sample.companyName,
			},
			{
				operator: 'in',
				field: 'CompanyName',
				value: `x,${parseText(sample.companyName)}`,
				name: 'Company Name',
				isMatch: ({ companyName }) => companyName === sample.companyName,
			},
			...createComparisons('CreateTime', 'createTime', sample.createTime, 'Create Time'),
		],
	],
	[
		'trainings',
		'Training',
		'getMany',
		(sample) => [
			{
				operator: 'contains',
				field: 'Name',
				value: parseText(sample.trainingName).slice(0, 7),
				name: 'Name',
				isMatch: ({ trainingName }) => parseText(trainingName).includes(parseText(sample.trainingName).slice(0, 7)),
			},
			{
				operator: 'eq',
				field: 'category',
				value: parseText(sample.category),
				name: 'Category',
				isMatch: ({ category }) => category === sample.category,
			},
			{
				operator: 'neq',
				field: 'category',
				value: parseText(sample.category),
				name: 'Category',
				isMatch: ({ category }) => category !== sample.category,
			},
			{
				operator: 'in',
				field: 'category',
				value: `xx,${parseText(sample.category)}`,
				name: 'Category',
				isMatch: ({ category }) => category === sample.category,
			},
			// The records contain the name of the level, so the node can't compare it with the level's number itself.
			...NUMBER_COMPARISONS.map(([operator, compare]) => ({
				operator,
				field: 'level',
				value: '2',
				isMatch: ({ level }: IDataObject) => compare(LEVELS.indexOf(parseText(level)) + 1, 2),
			})),
		],
	],
	[
		'people',
		'TargetUser',
		'getMany',
		(sample) => [
			{
				operator: 'contains',
				field: 'Email',
				value: parseText(sample.email).slice(0, 3),
				name: 'Email',
				isMatch: ({ email }) => parseText(email).includes(parseText(sample.email).slice(0, 3)),
			},
			{
				operator: 'eq',
				field: 'FirstName',
				value: parseText(sample.firstName).toUpperCase(),
				name: 'First Name',
				isMatch: ({ firstName }) => firstName === sample.firstName,
			},
			{
				operator: 'neq',
				field: 'LastName',
				value: parseText(sample.lastName),
				name: 'Last Name',
				isMatch: ({ lastName }) => lastName !== sample.lastName,
			},
			{
				operator: 'in',
				field: 'Email',
				value: `x@y.z,${parseText(sample.email)}`,
				name: 'Email',
				isMatch: ({ email }) => email === sample.email,
			},
			...createComparisons('createTime', 'createTime', sample.createTime),
		],
	],
];
