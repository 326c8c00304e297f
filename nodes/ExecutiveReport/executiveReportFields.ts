import { changes } from '../core/fields/collection';
import { cleanAddress, isAddress } from '../core/fields/contact';
import { markAsReplacing, type Field } from '../core/fields/field';
import {
	choice,
	dateTime,
	locatorValue,
	parseTexts,
	shown,
	text,
	texts,
	toggle,
	wholeNumber,
} from '../core/fields/fieldTypes';
import { readStoredTexts, type Sources } from '../core/operation/updateRecord';
import { platformPicker } from '../domain/pickers/platformLists';
import { multiPickerOf } from '../domain/pickers/resourcePickers';
import { IN_ZONE, inZone, refusePastStart, zonePicker } from '../domain/pickers/timeZone';
import { InvalidInput } from '../core/http/errors';
import { parseId } from '../core/http/request';

/** The field that chooses an executive report. */
export const report = {
	...platformPicker('executiveReports', { displayName: 'Executive Report', required: true }),
	parse: (raw: unknown) => parseId(locatorValue(raw)),
};

type Rules = Parameters<typeof choice>[0];

/** A choice of numbers that the platform's own front end sends, where an expression may give another (deployment activity, 6). */
const numbered = (rules: Rules): Field<number> => ({
	...choice(rules),
	parse: (raw, item) => wholeNumber({ displayName: rules.displayName, default: 0, min: 0 }).parse(raw, item),
});

/** Whether a schedule sends. That 1 is on is so of other things (deployment behaviour); 2 is taken for off. */
export const status = numbered({
	displayName: 'Status',
	description: "What it is to be; 'Get Many Scheduled Reports' shows what it is then",
	default: '1',
	options: [
		{ name: 'Off', value: '2' },
		{ name: 'On', value: '1' },
	],
});

/** The type of an executive report, the only one that is known (deployment activity, 6). */
export const EXECUTIVE = 2;

/** A field for e-mail addresses, with commas or, as mail programs have it, semicolons between them. */
const addresses = ({ sentAs, ...label }: Parameters<typeof texts>[0] & { sentAs: string }) =>
	markAsReplacing(
		{
			...texts(label),
			parse: (raw: unknown) => {
				const entries = parseTexts(typeof raw === 'string' ? raw.replaceAll(';', ',') : raw);
				const recipients = entries.map(cleanAddress).filter((address) => address !== '');
				const wrong = recipients.find((address) => !isAddress(address));
				if (wrong === undefined) return recipients;
				throw new InvalidInput(`must have e-mail addresses, separated by commas, but has ${shown(wrong)}`);
			},
		},
		sentAs,
	);

/** What a schedule must have. */
export const mainFields = {
	name: text({ displayName: 'Name', placeholder: 'e.g. Monthly review', required: true }),
	reportResourceId: report,
	frequency: numbered({
		displayName: 'Frequency',
		description: 'How often it is sent',
		default: '3',
		options: [
			{ name: 'Every Month', value: '3' },
			{ name: 'Every Quarter', value: '4' },
			{ name: 'Every Two Weeks', value: '2' },
			{ name: 'Every Week', value: '1' },
			{ name: 'Once', value: '0' },
		],
	}),
	emailAddresses: addresses({
		sentAs: 'emailAddresses',
		displayName: 'Email Addresses',
		description: 'Whom it is mailed to, separated by commas; they need not be known to the platform',
		placeholder: 'e.g. ceo@example.com',
	}),
};

const furtherFields = {
	isRegionAwareTimeZone: toggle({
		displayName: "Use Recipients' Own Time Zone",
		description: 'Whether each gets it at this time in their own time zone',
		default: true,
	}),
	managerEmails: addresses({
		sentAs: 'managerEmails',
		displayName: 'Manager Email Addresses',
		description: 'The managers who each get it for their own team; a report with a table of managers needs them',
		placeholder: 'e.g. lead@example.com',
	}),
	schedule: dateTime({
		displayName: 'Send At',
		description:
			"When it is sent first. If the platform refuses it, give it as the company's dates are written, as 'schedule' in 'Additional Fields (JSON)'.",
		hint: IN_ZONE,
		required: true,
	}),
	scheduledDateTimeZoneId: zonePicker(),
	targetGroupResourceIds: markAsReplacing(
		multiPickerOf('targetGroups', { displayName: 'Target Group Names or IDs' }),
		'targetGroupResourceIds',
	),
};

const ZONE = 'scheduledDateTimeZoneId';

/** What a new schedule can have besides. */
export const furtherOfNew = refusePastStart('schedule', ZONE, inZone(ZONE, furtherFields));

/** What can be changed of a schedule. */
export const changedFields = inZone(ZONE, { ...mainFields, ...furtherFields }, changes);

/** A list that the record has as one text, with commas between its entries (deployment activity, 6); without any, it is sent empty. */
const split = (name: string): Sources => ({
	[name]: { list: name, read: (value) => readStoredTexts(value === null ? [] : value) },
});

/** Where a schedule's record has what an update of it sends (deployment activity, 6). */
export const SCHEDULE: Sources = {
	name: 'name',
	reportResourceId: 'reportResourceId',
	reportType: 'reportTypeId',
	frequency: 'frequencyTypeId',
	schedule: 'schedule',
	[ZONE]: ZONE,
	isRegionAwareTimeZone: 'isRegionAwareTimeZone',
	...split('emailAddresses'),
	...split('managerEmails'),
	...split('targetGroupResourceIds'),
};
