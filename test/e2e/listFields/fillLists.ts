/** Fills in the lists of an operation's form with expressions. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Field, FieldMap, ItemContext } from '../../../nodes/core/fields/field';
import { loadOperations } from '../../contract/catalogue';
import { isRecord, isScalar } from '../../../nodes/core/values';
import { getFieldGroups, getOptions } from '../../rules/nodeFields';

const LIST_TYPES: readonly string[] = ['options', 'multiOptions', 'resourceLocator'];

/** Values that aren't in any list but that many lists accept: names, an email address, IDs and numbers. The first accepted one is used. */
const UNLISTED_VALUES = [
	'Sales',
	'nathan@example.com',
	'3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111',
	'Europe/Berlin',
	7,
	'7',
];

const itemContext: ItemContext = {
	timezone: 'Europe/Berlin',
	readUpload: () => Promise.reject(new Error('A list has no file')),
};

/** The form of an operation in which the lists have expressions. */
export interface FilledForm {
	node: string;
	/** The operation's key, such as "campaignJob.getMany". */
	operation: string;
	/** The number of the form. An operation has several forms if no single one shows all of its lists. */
	number: number;
	parameters: IDataObject;
	/** The values that the expressions return, by the name of the input item's field. */
	input: IDataObject;
	/** The names of the filled lists. A name occurs several times if the form has several lists of that name. */
	listNames: string[];
}

/** Fills in the forms of every operation of a node. @throws Error if a list accepts none of the values that this file knows */
export async function fillForms(nodePath: string, properties: INodeProperties[]): Promise<FilledForm[]> {
	const forms: FilledForm[] = [];
	for (const { node, resource, key, operation } of await loadOperations(nodePath)) {
		const isOfOperation = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
			show.resource?.includes(resource) === true && show.operation?.includes(operation.value) === true;
		const operationProperties = properties.filter(isOfOperation);
		for (let number = 0; number < countForms(operationProperties); number++) {
			const form: FilledForm = { node, operation: key, number, parameters: {}, input: {}, listNames: [] };
			const values = await fillFields(operationProperties, operation.fields, form);
			form.parameters = { ...values, resource, operation: operation.value };
			forms.push(form);
		}
	}
	return forms;
}

/** Lists the values of a list with which n8n shows another list. */
function listShowingValues({ name }: INodeProperties, properties: INodeProperties[]): Array<string | number | boolean> {
	const conditions = properties
		.filter(({ type }) => LIST_TYPES.includes(type))
		.flatMap(({ displayOptions }) => displayOptions?.show?.[name] ?? []);
	return [...new Set(conditions.filter(isScalar))];
}

/** Counts the forms that are needed to show all lists of an operation. */
const countForms = (properties: INodeProperties[]): number =>
	Math.max(
		1,
		...properties
			.filter((property) => LIST_TYPES.includes(property.type))
			.map((property) => listShowingValues(property, properties).length),
	);

/** A group of fields whose display may depend on each other: a form, a collection, a group or a row. */
interface FieldGroup {
	properties: INodeProperties[];
	/** The values that the fields have when the expressions are evaluated. */
	evaluatedValues: Record<string, unknown>;
}

/** Returns true if n8n shows a field. A field that the group's values lack has its default. */
function isShown({ displayOptions }: INodeProperties, { properties, evaluatedValues }: FieldGroup): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, conditions = []]) => {
		if (['resource', 'operation'].includes(name)) return true;
		const value = evaluatedValues[name] ?? properties.find((property) => property.name === name)?.default;
		return conditions.some((condition: unknown) =>
			isRecord(condition) && isRecord(condition._cnd) ? String(value) !== condition._cnd.not : condition === value,
		);
	});
}

/** Fills in the fields of a group. Only lists, dates and required texts get a value. */
async function fillFields(properties: INodeProperties[], fields: FieldMap, form: FilledForm): Promise<IDataObject> {
	const group: FieldGroup = { properties, evaluatedValues: {} };
	const values: IDataObject = {};
	for (const property of properties) {
		const field = fields[property.name];
		if (!field || !isShown(property, group)) continue;
		const value = await fillField(property, field, group, form);
		if (value !== undefined) values[property.name] = value;
	}
	return values;
}

async function fillField(
	property: INodeProperties,
	field: Field<unknown>,
	group: FieldGroup,
	form: FilledForm,
): Promise<IDataObject[string]> {
	const { type, name } = property;
	if (LIST_TYPES.includes(type) && !property.noDataExpression) return await fillList(property, field, group, form);
	if (type === 'collection') {
		const properties = (property.options ?? []).filter((option): option is INodeProperties => 'type' in option);
		return await fillFields(properties, field.innerFields ?? {}, form);
	}
	if (type === 'fixedCollection') {
		const [innerGroup] = getFieldGroups(property);
		if (!innerGroup) return undefined;
		const innerValues = await fillFields(innerGroup.values, field.innerFields ?? {}, form);
		return { [innerGroup.name]: property.typeOptions?.multipleValues ? [innerValues] : innerValues };
	}
	if (type !== 'dateTime' && !(property.required && type === 'string')) return undefined;
	const value = type === 'dateTime' ? '2031-01-01T09:00:00' : `Some ${name}`;
	group.evaluatedValues[name] = value;
	return value;
}

/** Fills in a list with an expression that returns a value of the input item. */
async function fillList(
	property: INodeProperties,
	field: Field<unknown>,
	group: FieldGroup,
	form: FilledForm,
): Promise<IDataObject[string]> {
	const { type, name } = property;
	const showingValues = listShowingValues(property, group.properties);
	const value = showingValues[form.number % showingValues.length] ?? (await findAcceptedValue(property, field));
	if (value === undefined) throw new Error(`No value is known for ${form.node} ${form.operation} ${name}`);
	const inputName = name in form.input ? `${name}${form.listNames.length}` : name;
	form.input[inputName] = value;
	form.listNames.push(name);
	group.evaluatedValues[name] = value;
	const expression = `={{ $json["${getFormName(form)}"].${inputName} }}`;
	if (type !== 'resourceLocator') return expression;
	const hasNameMode = property.modes?.some((mode) => mode.name === 'name') === true;
	return { __rl: true, mode: hasNameMode ? 'name' : 'id', value: expression };
}

/** Returns the name of a form, which is unique in its node. In brackets, no name is the beginning of another one. */
export const getFormName = ({ operation, number }: FilledForm): string =>
	number === 0 ? `[${operation}]` : `[${operation} ${number + 1}]`;

/** Finds a value that the list accepts: one that is not in the list if possible, otherwise one of its options. */
async function findAcceptedValue(property: INodeProperties, { parse }: Field<unknown>): Promise<IDataObject[string]> {
	const isMultiple = property.type === 'multiOptions';
	const options = getOptions(property).map(({ value }) => value);
	for (const candidate of [...UNLISTED_VALUES, ...options]) {
		const value = isMultiple ? [candidate] : candidate;
		try {
			await parse(value, itemContext);
			return value;
		} catch {
			// The list doesn't accept this value.
		}
	}
	return undefined;
}
