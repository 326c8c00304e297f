import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../pagination/readList';
import {
	collectListMethods,
	rejectEmptyExpression,
	buildFieldProperties,
	showWhen,
	type FieldMap,
} from '../fields/field';
import { choiceField, dateTimeField, toggleField, wholeNumberField } from '../fields/fieldTypes';
import { createOptionsBlock, runSettingFields } from '../operation/operationFields';
import { scopeFields } from '../companyScope/companyScope';
import type { TriggerFormDefinition } from './defineTrigger';
import { noticeField } from './noticeField';

const STATUS_CHANGED_CONDITION = { triggerOn: ['statusChanged'] };

/**
 * Creates the field for the event that starts the workflow.
 * @param noun the plural noun for the watched records; n8n's node panel shows it in the texts "On new …" and "On status
 * change of …"
 */
const createTriggerOnField = (noun: string) =>
	choiceField({
		displayName: 'Trigger On',
		description: 'Select the event that starts the workflow',
		default: 'new',
		options: [
			{
				name: 'New',
				value: 'new',
				description: `Start the workflow for new ${noun}`,
				action: `On new ${noun}`,
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				description: `Start the workflow for ${noun} whose status has changed since the last poll`,
				action: `On status change of ${noun}`,
			},
		],
	});

const includeNewRecordsField = showWhen(
	STATUS_CHANGED_CONDITION,
	toggleField({
		displayName: 'Include New Records',
		default: false,
		description: 'Whether to also start the workflow for records that were created since the last poll',
		hint: 'If turned off, a record that is created and completed between two polls never starts the workflow',
	}),
);

/** The text that says how long the first poll takes, and how often the companies are read. */
const EVERY_COMPANY_NOTICE =
	'The trigger reads each company once when you publish the workflow. For 500 companies, this takes 15 seconds or more. After that, it reads each company every 15 minutes, unless the platform has one list for all companies.';

/**
 * The default timeout of a request in seconds. It is short, because one slow request delays the records of every other
 * company.
 */
export const DEFAULT_POLL_TIMEOUT_S = 30;

/** The default of 'Read Each Company Every', in minutes. */
export const DEFAULT_READ_INTERVAL_MINUTES = 15;

/**
 * Creates the settings of how a trigger reads the companies.
 * @param defaultReadInterval in minutes
 */
export const createPollSettings = (defaultReadInterval: number) => ({
	readEachCompanyEvery: wholeNumberField({
		displayName: 'Read Each Company Every (Minutes)',
		default: defaultReadInterval,
		min: 0,
		max: 1440,
		description: "How many minutes to wait before reading each company's list again. Enter 0 to read it in every poll.",
	}),
	concurrency: runSettingFields.concurrency,
	pageSize: wholeNumberField({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'The maximum number of records to read with one request',
	}),
	timeout: wholeNumberField({
		displayName: 'Timeout',
		default: DEFAULT_POLL_TIMEOUT_S,
		min: 1,
		max: 300,
		description: 'How many seconds to wait for a response from the platform',
	}),
});

/** The settings of how a trigger reads the companies, in the form's block 'Options'. */
export const pollSettings = createOptionsBlock(createPollSettings(DEFAULT_READ_INTERVAL_MINUTES));

const optionFields = {
	...createPollSettings(DEFAULT_READ_INTERVAL_MINUTES),
	readEachCompany: toggleField({
		displayName: 'Read Each Company',
		default: true,
		description: "Whether to read each company's list even if the platform has one list for all companies",
	}),
	includeExistingSince: showWhen(
		{ '/triggerOn': ['new'] },
		dateTimeField({
			displayName: 'Include Existing Since',
			description:
				'When you publish the workflow for the first time, it also starts for records created since this date',
		}),
	),
	watchedDays: showWhen(
		{ '/triggerOn': ['statusChanged'] },
		wholeNumberField({
			displayName: 'Watched Days',
			default: 30,
			min: 1,
			max: 365,
			description: "How long to watch a record's status, in days after the record was created",
		}),
	),
};

/**
 * Creates the fields that select the companies, with a notice below 'Company Scope'.
 * @param noticeText the text that 'Every Company' shows
 */
export function createScopeFields(noticeText: string): FieldMap {
	const { companyScope, ...companyFields } = scopeFields('companies');
	const everyCompanyNotice = showWhen({ companyScope: ['every'] }, noticeField(noticeText));
	const fields: FieldMap = { everyCompanyNotice, ...companyFields };
	return companyScope ? { companyScope, ...fields } : fields;
}

/** Creates the fields that every trigger has, except the fields that select the companies. */
export const createPollFields = ({ noun, statusField }: Pick<TriggerFormDefinition, 'noun' | 'statusField'>) => ({
	triggerOn: createTriggerOnField(noun),
	includeNewRecords: includeNewRecordsField,
	statuses: showWhen(STATUS_CHANGED_CONDITION, rejectEmptyExpression(statusField)),
	...createOptionsBlock(optionFields),
});

/** Builds the fields of a trigger, in the order in which the form shows them. */
export function buildTriggerForm(definition: TriggerFormDefinition): FieldMap {
	const { options, ...eventFields } = createPollFields(definition);
	return { ...definition.fields, ...eventFields, ...createScopeFields(EVERY_COMPANY_NOTICE), options };
}

/** Builds the node properties of a trigger. Every call returns new objects, because n8n's loader modifies them. */
export const buildTriggerProperties = (definition: TriggerFormDefinition): INodeProperties[] =>
	structuredClone(buildFieldProperties(buildTriggerForm(definition)));

/** Builds the node methods that load the options of a trigger's fields. */
export const buildTriggerMethods = (definition: TriggerFormDefinition) =>
	collectListMethods(buildTriggerForm(definition));
