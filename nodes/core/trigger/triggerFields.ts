import { mapValues } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../pagination/readList';
import { collection } from '../fields/collection';
import { methodsOfFields, mustHaveValue, propertiesOfFields, showWhen, type FieldMap } from '../fields/field';
import { choice, dateTime, toggle, wholeNumber } from '../fields/fieldTypes';
import { settingFields } from '../operation/operationFields';
import { statusField } from '../../domain/pickers/statuses';
import { scopeFields } from '../companyScope/companyScope';
import type { TriggerForm } from './types';

const ON_STATUS = { triggerOn: ['statusChanged'] };

/** What starts the workflow. The action is what n8n's panel of nodes says. */
const triggerOn = (things: string) =>
	choice({
		displayName: 'Trigger On',
		description: 'What starts the workflow',
		default: 'new',
		options: [
			{
				name: 'New',
				value: 'new',
				description: 'Each record that is created, once',
				action: `On new ${things}`,
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				description: 'Each record whose status is another one than at the poll before',
				action: `On status change of ${things}`,
			},
		],
	});

const alsoFirstSeen = showWhen(
	ON_STATUS,
	toggle({
		displayName: 'Also Records First Seen',
		default: false,
		description:
			'Whether a record that is new since the last poll counts as changed. Without it, one that was created and completed between two polls is missed.',
	}),
);

const WHEN_ASKED =
	"Every Company: where no list has the records of all companies, each company is asked every 15 minutes ('Ask Each Company Every'), the first time at once";

/** New records of other companies wait for an answer that does not come. */
export const DEFAULT_TIMEOUT_S = 30;

const optionFields = {
	askEachCompany: toggle({
		displayName: 'Ask Each Company',
		default: true,
		description:
			'Whether to read the list of each company even where one list has the records of all; for a platform whose list of all leaves some out',
	}),
	askEachEvery: wholeNumber({
		displayName: 'Ask Each Company Every (Minutes)',
		default: 15,
		min: 0,
		max: 1440,
		description: 'How often each company is asked, where no list has the records of all; 0 for every poll',
	}),
	concurrency: settingFields.concurrency,
	emitExistingSince: showWhen(
		{ '/triggerOn': ['new'] },
		dateTime({
			displayName: 'Emit Existing Since',
			description: 'When the workflow is activated for the first time, start it for what was created from this date on',
		}),
	),
	pageSize: wholeNumber({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request',
	}),
	timeout: wholeNumber({
		displayName: 'Timeout',
		default: DEFAULT_TIMEOUT_S,
		min: 1,
		max: 300,
		description: 'Seconds to wait for an answer',
	}),
	watchedDays: showWhen(
		{ '/triggerOn': ['statusChanged'] },
		wholeNumber({
			displayName: 'Watched Days',
			default: 30,
			min: 1,
			max: 365,
			description: 'How many days after its creation the status of a record is watched',
		}),
	),
};

/** The scope's fields; the first says when companies are asked, because "Every Minute" is not for each of them. */
const scope: FieldMap = mapValues(scopeFields('companies'), (field, name) => ({
	...field,
	property: { ...field.property, ...(name === 'companyScope' ? { hint: WHEN_ASKED } : {}) },
}));

/** The fields that every trigger has, besides its own and the company scope. */
export const pollFields = ({ things, statuses }: Pick<TriggerForm, 'things' | 'statuses'>) => ({
	triggerOn: triggerOn(things),
	alsoFirstSeen,
	statuses: showWhen(ON_STATUS, mustHaveValue(statusField(statuses))),
	options: collection({ displayName: 'Options', button: 'Add Option', fields: optionFields }),
});

/** The fields of a trigger in the order a person sees them. */
export function formOfTrigger(spec: TriggerForm): FieldMap {
	const { options, ...events } = pollFields(spec);
	return { ...spec.fields, ...events, ...scope, options };
}

/** A trigger's properties. Always new objects, because n8n's loader writes into them. */
export const propertiesOfTrigger = (spec: TriggerForm): INodeProperties[] =>
	structuredClone(propertiesOfFields(formOfTrigger(spec)));

/** The functions that fill the lists of a trigger's fields. */
export const methodsOfTrigger = (spec: TriggerForm) => methodsOfFields(formOfTrigger(spec));
