import { mapValues, omit } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { MAX_PAGE_SIZE } from '../answer/paging';
import { withBuilderHints, type NodeHint } from '../form/builderHint';
import { choice } from '../form/choice';
import { collection } from '../form/collection';
import { dateTime } from '../form/date';
import { wholeNumber } from '../form/number';
import { texts } from '../form/text';
import { toggle } from '../form/toggle';
import { changedIn, methodsOfFields, propertiesOfFields, showWhen, type FieldMap } from '../form/field';
import { settingFields } from '../operation/form';
import { statusField } from '../pickers/statuses';
import { scopeFields } from '../scope/scope';
import type { TriggerForm } from './trigger';

const ON_STATUS = { triggerOn: ['statusChanged'] };

/** What sets a poll off. */
export const eventFields = {
	triggerOn: choice({
		displayName: 'Trigger On',
		description: 'What starts the workflow',
		default: 'new',
		options: [
			{ name: 'New', value: 'new', description: 'Each record that is created, once' },
			{
				name: 'Status Changed',
				value: 'statusChanged',
				description: 'Each record whose status is another one than at the poll before',
			},
		],
	}),
	alsoFirstSeen: showWhen(
		ON_STATUS,
		toggle({
			displayName: 'Also Records First Seen',
			default: false,
			description:
				'Whether a record that is new since the last poll counts as changed. Without it, one that was created and completed between two polls is missed.',
		}),
	),
	statuses: showWhen(
		ON_STATUS,
		texts({
			displayName: 'Only Statuses',
			description: "Only changes to one of these, in the service's own words, separated by commas",
			placeholder: 'e.g. Completed, Running',
		}),
	),
};

/** How it polls. */
export const optionFields = {
	askEachEvery: wholeNumber({
		displayName: 'Ask Each Company Every (Minutes)',
		default: 15,
		min: 0,
		max: 1440,
		description:
			'How often each company is asked by itself, where one list of all companies is not enough; 0 for every poll',
	}),
	concurrency: settingFields.concurrency,
	emitExistingSince: dateTime({
		displayName: 'Emit Existing Since',
		description: 'When the workflow is activated for the first time, start it for what was created from this date on',
	}),
	includeDetails: toggle({
		displayName: 'Include Details',
		default: true,
		description:
			'Whether to read the full record of an enrollment, or the figures of a campaign job, into the field details',
	}),
	lateArrivals: wholeNumber({
		displayName: 'Late Arrivals (Hours)',
		default: 24,
		min: 1,
		max: 720,
		description: "How long after its create time a record may show up in the service's list",
	}),
	pageSize: wholeNumber({
		displayName: 'Page Size',
		default: 100,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request; without it, as many as are needed',
	}),
	timeout: settingFields.timeout,
	watchedDays: wholeNumber({
		displayName: 'Watched Days',
		default: 30,
		min: 1,
		max: 365,
		description: 'How many days after its creation a record is watched; with Trigger On set to Status Changed',
	}),
};

/** What sets it off, with the words for the panel of all nodes: n8n's own are "On new". */
function triggerOnOf(things: string): typeof eventFields.triggerOn {
	const { property, ...field } = eventFields.triggerOn;
	const actions: Record<string, string> = { new: `On new ${things}`, statusChanged: `On status change of ${things}` };
	const options = property.options?.map((option) =>
		'value' in option ? { ...option, action: actions[String(option.value)] } : option,
	);
	return { ...field, property: { ...property, ...(options ? { options } : {}) } };
}

/** n8n stops before a required field that is empty, in words of its own; without it, the poll says what to do. */
const notRequired = (fields: FieldMap): FieldMap =>
	mapValues(fields, ({ property, ...field }) => ({ ...field, property: omit(property, 'required') }));

/** The fields of a trigger in the order a person sees them. */
export function formOfTrigger({ fields, things, statuses }: TriggerForm) {
	return {
		...fields,
		...eventFields,
		triggerOn: triggerOnOf(things),
		statuses: changedIn(1.1, eventFields.statuses, showWhen(ON_STATUS, statusField(statuses))),
		...notRequired(scopeFields('companies')),
		options: collection({ displayName: 'Options', button: 'Add Option', fields: optionFields }),
	} satisfies FieldMap;
}

/** A trigger's properties. Always new objects, because n8n's loader writes into them. */
export const propertiesOfTrigger = (spec: TriggerForm): INodeProperties[] =>
	withBuilderHints(structuredClone(propertiesOfFields(formOfTrigger(spec))));

/** What an AI that builds workflows is told of a trigger's items. @param names fields of the contract's records */
export const triggerHint = (names: string): NodeHint => ({
	extraTypeDefContent: [
		{
			content: `Output, an item each: the record as the service lists it, such as ${names}; kind, companyName and companyResourceId; details, where there are more; previousStatus, with 'statusChanged'`,
		},
	],
});

/** The functions that fill the lists of a trigger's fields. */
export const methodsOfTrigger = (spec: TriggerForm) => methodsOfFields(formOfTrigger(spec));
