import { mapValues } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../pagination/readList';
import { collectionField } from '../fields/collection';
import {
	collectListMethods,
	rejectEmptyExpression,
	buildFieldProperties,
	showWhen,
	type FieldMap,
} from '../fields/field';
import { choiceField, dateTimeField, toggleField, wholeNumberField } from '../fields/fieldTypes';
import { runSettingFields } from '../operation/operationFields';
import { scopeFields } from '../companyScope/companyScope';
import type { TriggerFormDefinition } from './defineTrigger';

const STATUS_CHANGED_CONDITION = { triggerOn: ['statusChanged'] };

/**
 * Creates the field for the event that starts the workflow.
 * @param noun the plural noun for the watched records; n8n's node panel shows it in the texts "On new …" and "On status
 * change of …"
 */
const createTriggerOnField = (noun: string) =>
	choiceField({
		displayName: 'Trigger On',
		description: 'What starts the workflow',
		default: 'new',
		options: [
			{
				name: 'New',
				value: 'new',
				description: 'Each record that is created, once',
				action: `On new ${noun}`,
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				description: 'Each record whose status is another one than at the poll before',
				action: `On status change of ${noun}`,
			},
		],
	});

const alsoFirstSeenField = showWhen(
	STATUS_CHANGED_CONDITION,
	toggleField({
		displayName: 'Also Records First Seen',
		default: false,
		description:
			'Whether a record that is new since the last poll counts as changed. Without it, one that was created and completed between two polls is missed.',
	}),
);

const COMPANY_SCOPE_HINT =
	"Every Company: where no list has the records of all companies, each company is asked every 15 minutes ('Ask Each Company Every'), the first time at once";

/**
 * The default timeout of a request in seconds. It is short, because one slow request delays the records of every other
 * company.
 */
export const DEFAULT_POLL_TIMEOUT_S = 30;

const optionFields = {
	askEachCompany: toggleField({
		displayName: 'Ask Each Company',
		default: true,
		description:
			'Whether to read the list of each company even where one list has the records of all; for a platform whose list of all leaves some out',
	}),
	askEachEvery: wholeNumberField({
		displayName: 'Ask Each Company Every (Minutes)',
		default: 15,
		min: 0,
		max: 1440,
		description: 'How often each company is asked, where no list has the records of all; 0 for every poll',
	}),
	concurrency: runSettingFields.concurrency,
	emitExistingSince: showWhen(
		{ '/triggerOn': ['new'] },
		dateTimeField({
			displayName: 'Emit Existing Since',
			description: 'When the workflow is activated for the first time, start it for what was created from this date on',
		}),
	),
	pageSize: wholeNumberField({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request',
	}),
	timeout: wholeNumberField({
		displayName: 'Timeout',
		default: DEFAULT_POLL_TIMEOUT_S,
		min: 1,
		max: 300,
		description: 'Seconds to wait for an answer',
	}),
	watchedDays: showWhen(
		{ '/triggerOn': ['statusChanged'] },
		wholeNumberField({
			displayName: 'Watched Days',
			default: 30,
			min: 1,
			max: 365,
			description: 'How many days after its creation the status of a record is watched',
		}),
	),
};

/**
 * Creates the fields that select the companies. Adds a hint to 'Company Scope' that says how often each company's list
 * is read.
 */
function createScopeFields(): FieldMap {
	const fields: FieldMap = scopeFields('companies');
	return mapValues(fields, (field, name) => {
		if (name !== 'companyScope') return field;
		return { ...field, property: { ...field.property, hint: COMPANY_SCOPE_HINT } };
	});
}

/** Creates the fields that every trigger has, except the fields that select the companies. */
export const createPollFields = ({ noun, statusField }: Pick<TriggerFormDefinition, 'noun' | 'statusField'>) => ({
	triggerOn: createTriggerOnField(noun),
	alsoFirstSeen: alsoFirstSeenField,
	statuses: showWhen(STATUS_CHANGED_CONDITION, rejectEmptyExpression(statusField)),
	options: collectionField({ displayName: 'Options', buttonText: 'Add Option', fields: optionFields }),
});

/** Builds the fields of a trigger, in the order in which the form shows them. */
export function buildTriggerForm(definition: TriggerFormDefinition): FieldMap {
	const { options, ...eventFields } = createPollFields(definition);
	return { ...definition.fields, ...eventFields, ...createScopeFields(), options };
}

/** Builds the node properties of a trigger. Every call returns new objects, because n8n's loader modifies them. */
export const buildTriggerProperties = (definition: TriggerFormDefinition): INodeProperties[] =>
	structuredClone(buildFieldProperties(buildTriggerForm(definition)));

/** Builds the node methods that load the options of a trigger's fields. */
export const buildTriggerMethods = (definition: TriggerFormDefinition) =>
	collectListMethods(buildTriggerForm(definition));
