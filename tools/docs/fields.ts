import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import type { FieldMap } from '../../nodes/core/fields/field';

/** A line of a table of fields. */
export interface FieldRow {
	label: string;
	line: string;
}

/** A longer list of choices is cut: the form shows it. */
const MAX_CHOICES = 6;

type Property = Omit<INodeProperties, 'name'>;

const TYPE_TEXTS: Partial<Record<string, string>> = {
	string: 'Text.',
	json: 'JSON.',
	number: 'A number.',
	dateTime: 'A date and time.',
};

/** Cells as a line of a table. */
export const buildRow = (...cells: string[]): string =>
	`| ${cells
		.map((text) =>
			text
				.replace(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)')
				.replace(/\|/g, '\\|')
				.replace(/\s+/g, ' '),
		)
		.join(' | ')} |`;

/** Text with a full stop, if it is not empty. */
export const toSentence = (text = ''): string => (text === '' || /[.!?:]$/.test(text) ? text : `${text}.`);

const listChoices = ({ options = [] }: Property) =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** What a picker begins with. */
const pickerStartSchema = z.object({ value: z.unknown(), cachedResultName: z.string() });

/** A value as a person sees it in the form. */
function formatFieldValue(property: Property | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	const start = pickerStartSchema.safeParse(property?.default).data;
	if (start?.value === value) return start.cachedResultName;
	return (property && listChoices(property).find((each) => each.value === value)?.name) ?? String(value);
}

/** n8n's form of a condition that is no plain value: whether a field is there, or says anything else. */
const conditionSchema = z.object({ _cnd: z.object({ not: z.unknown() }).partial() });

function formatConditionValue(property: Property | undefined, value: unknown): string {
	const condition = conditionSchema.safeParse(value);
	if (!condition.success) return formatFieldValue(property, value);
	const { not } = condition.data._cnd;
	return not === undefined ? 'filled in' : `not ${formatFieldValue(property, not)}`;
}

/** What other fields must say for a field to be there. */
function describeCondition({ displayOptions }: Property, siblings: FieldMap): string {
	const parts = Object.entries(displayOptions?.show ?? {}).map(([path, values = []]) => {
		const sibling = siblings[path.replace(/^\//, '')]?.property;
		const wanted = values.map((value) => formatConditionValue(sibling, value));
		return `${sibling?.displayName ?? path} is ${wanted.join(' or ')}`;
	});
	return parts.length > 0 ? `Only if ${parts.join(' and ')}.` : '';
}

function describeField(property: Property, condition: string): string {
	const { modes = [], placeholder = '', typeOptions: { minValue: min, maxValue: max } = {} } = property;
	const choices = listChoices(property).map(({ name, description: [first = '', ...rest] = '' }) =>
		first === '' ? `**${name}**` : `**${name}** (${first.toLowerCase()}${rest.join('')})`,
	);
	const parts = [
		...[
			property.description,
			property.hint,
			placeholder.startsWith('e.g. ') ? placeholder.replace('e.g.', 'For example:') : '',
		].map(toSentence),
		modes.length > 0 ? `Choose ${modes.map(({ displayName }) => displayName).join(' or ')}.` : '',
		min === undefined ? '' : max === undefined ? `At least ${min}.` : `From ${min} to ${max}.`,
		choices.length > 0
			? `Choices: ${choices.slice(0, MAX_CHOICES).join(', ')}${choices.length > MAX_CHOICES ? ` and ${choices.length - MAX_CHOICES} more` : ''}.`
			: '',
	].filter((part) => part !== '');
	return [condition, ...(parts.length > 0 ? parts : [TYPE_TEXTS[property.type] ?? ''])].join(' ').trim();
}

/** The rows of a table of fields; those inside a collection stand under its name, and are there where it is. */
export function buildFieldRows(fields: FieldMap, outer?: { label: string; condition: string; fields: FieldMap }): FieldRow[] {
	return Object.values(fields).flatMap(({ property, innerFields: inner }) => {
		const label = outer ? `${outer.label} → ${property.displayName}` : property.displayName;
		const condition = describeCondition(property, { ...outer?.fields, ...fields }) || (outer?.condition ?? '');
		const required = property.required ? (outer ? 'if added' : 'yes') : 'no';
		// A switch in a collection says nothing until it is added.
		const value = formatFieldValue(property, property.default) + (outer && property.default === true ? ', if added' : '');
		const line = buildRow(label, required, value, describeField(property, condition));
		if (!inner) return [{ label, line }];
		const more = buildFieldRows(inner, { label, condition, fields }).sort((one, other) => one.label.localeCompare(other.label));
		return [...(property.description ? [{ label, line }] : []), ...more];
	});
}
