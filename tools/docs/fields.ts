import { lowerFirst } from 'lodash';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import type { FieldMap } from '../../nodes/core/fields/field';

/** A row in a table of form fields on a docs page. */
export interface FieldRow {
	/** The label of the field, such as "Options → Timeout" for a field in a collection. */
	label: string;
	/** The row in Markdown. */
	line: string;
}

/** The docs list at most this many choices of a field. The form shows all of them. */
const MAX_CHOICES = 6;

type Property = Omit<INodeProperties, 'name'>;

const DEFAULT_TYPE_TEXTS: Partial<Record<string, string>> = {
	string: 'Text.',
	json: 'JSON.',
	number: 'A number.',
	dateTime: 'A date and time.',
};

/** Builds a row of a Markdown table. */
export const buildRow = (...cells: string[]): string =>
	`| ${cells
		.map((text) =>
			text
				.replace(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)')
				.replace(/\|/g, '\\|')
				.replace(/\s+/g, ' '),
		)
		.join(' | ')} |`;

/** Adds a full stop to a text, unless it is empty or ends with a punctuation mark. */
export const toSentence = (text = ''): string => (text === '' || /[.!?:]$/.test(text) ? text : `${text}.`);

const listChoices = ({ options = [] }: Property) =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** Matches the default value of a picker. */
const pickerDefaultSchema = z.object({ value: z.unknown(), cachedResultName: z.string() });

/** Formats a field's value as the form shows it. */
function formatFieldValue(property: Property | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	const pickerDefault = pickerDefaultSchema.safeParse(property?.default).data;
	if (pickerDefault?.value === value) return pickerDefault.cachedResultName;
	return (property && listChoices(property).find((choice) => choice.value === value)?.name) ?? String(value);
}

/**
 * Matches a condition in `displayOptions` that isn't a plain value. With `not`, the other form field must not have that value.
 * Otherwise, the other form field must be filled in.
 */
const conditionSchema = z.object({ _cnd: z.object({ not: z.unknown() }).partial() });

function formatConditionValue(property: Property | undefined, value: unknown): string {
	const condition = conditionSchema.safeParse(value);
	if (!condition.success) return formatFieldValue(property, value);
	const { not } = condition.data._cnd;
	return not === undefined || not === '' ? 'filled in' : `not ${formatFieldValue(property, not)}`;
}

/** Describes on which values of other form fields a field is shown. @returns an empty string if the field is always shown */
function describeCondition({ displayOptions }: Property, otherFields: FieldMap): string {
	const conditionTexts = Object.entries(displayOptions?.show ?? {}).map(([path, conditionValues = []]) => {
		const otherField = otherFields[path.replace(/^\//, '')]?.property;
		const allowedValues = conditionValues.map((value) => formatConditionValue(otherField, value));
		return `${otherField?.displayName ?? path} is ${allowedValues.join(' or ')}`;
	});
	return conditionTexts.length > 0 ? `Only if ${conditionTexts.join(' and ')}.` : '';
}

function describeRange(min: number | undefined, max: number | undefined): string {
	if (min === undefined) return '';
	return max === undefined ? `At least ${min}.` : `From ${min} to ${max}.`;
}

function describeChoices(choices: string[]): string {
	if (choices.length === 0) return '';
	const moreText = choices.length > MAX_CHOICES ? ` and ${choices.length - MAX_CHOICES} more` : '';
	return `Choices: ${choices.slice(0, MAX_CHOICES).join(', ')}${moreText}.`;
}

/** Writes the first letter in lowercase, unless the text starts with an abbreviation such as XML. */
const startInLowercase = (text: string): string => (/^[A-Z]{2}/.test(text) ? text : lowerFirst(text));

/** Describes what to enter in a field. */
function describeField(property: Property, condition: string): string {
	const { modes = [], placeholder = '', typeOptions: { minValue: min, maxValue: max } = {} } = property;
	const choices = listChoices(property).map(({ name, description = '' }) =>
		description === '' ? `**${name}**` : `**${name}** (${startInLowercase(description)})`,
	);
	const example = placeholder.startsWith('e.g. ') ? placeholder.replace('e.g.', 'For example:') : '';
	const sentences = [
		toSentence(property.description),
		toSentence(property.hint),
		toSentence(example),
		modes.length > 0 ? `Choose ${modes.map(({ displayName }) => displayName).join(' or ')}.` : '',
		describeRange(min, max),
		describeChoices(choices),
	].filter((part) => part !== '');
	const text = sentences.length > 0 ? sentences.join(' ') : (DEFAULT_TYPE_TEXTS[property.type] ?? '');
	return `${condition} ${text}`.trim();
}

/**
 * Builds the rows of a table of form fields. The label of a field in a collection starts with the collection's label. If such a field
 * has no condition, it gets the condition of the collection.
 */
export function buildFieldRows(
	fields: FieldMap,
	collection?: { label: string; condition: string; fields: FieldMap },
): FieldRow[] {
	const enteredFields = Object.values(fields).filter(({ property }) => property.type !== 'notice');
	return enteredFields.flatMap(({ property, innerFields }) => {
		const label = collection ? `${collection.label} → ${property.displayName}` : property.displayName;
		const condition =
			describeCondition(property, { ...collection?.fields, ...fields }) || (collection?.condition ?? '');
		const requiredText = collection ? 'if added' : 'yes';
		const required = property.required ? requiredText : 'no';
		// A switch in a collection has no effect until a user adds it, even if its default is on.
		const value =
			formatFieldValue(property, property.default) + (collection && property.default === true ? ', if added' : '');
		const line = buildRow(label, required, value, describeField(property, condition));
		if (!innerFields) return [{ label, line }];
		const innerRows = buildFieldRows(innerFields, { label, condition, fields }).sort((first, second) =>
			first.label.localeCompare(second.label),
		);
		return property.description ? [{ label, line }, ...innerRows] : innerRows;
	});
}
