import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import type { FormFields } from '../transport/request';
import { json } from './json';
import { isRecord, isScalar } from './value';
import type { Field } from './field';

const LABEL = {
	displayName: 'Additional Fields (JSON)',
	description: "Further fields, by the service's names",
	default: '{}',
};

/** Names that every JavaScript object has: n8n fails on a body with such a field. */
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

function objectOf(value: unknown): Record<string, unknown> {
	if (value === undefined) return {};
	if (!isRecord(value)) throw new InvalidInput('must be a JSON object', [], 'For example: { "name": "value" }.');
	const reserved = RESERVED_NAMES.find((name) => Object.hasOwn(value, name));
	if (reserved !== undefined)
		throw new InvalidInput(
			`must not have a field called '${reserved}'`,
			[],
			'Leave it out: the service has no such field.',
		);
	return value;
}

/**
 * The field for body fields that neither the contract nor the deployment facts name; they are merged into the body
 * last.
 */
export const moreFields = (): Field<IDataObject> =>
	json({ ...LABEL, shape: (value) => objectOf(value) as IDataObject });

/**
 * The same for a multipart body, which can only have texts, numbers, true or false, and lists of texts. Lists of objects
 * are refused, because it is not documented how a deployment reads them: ASP.NET, for example, does not read JSON text
 * there, but one field for each value, with a name such as "Items[0].Name". A person can enter such fields.
 * @param path the names that lead to the field in the form, for the error
 * @throws InvalidInput for an object, null, or a list with anything but texts and numbers
 */
export function asFormFields(more: IDataObject, path: string[]): FormFields {
	const fields: FormFields = {};
	for (const [name, each] of Object.entries(more)) {
		if (isScalar(each)) fields[name] = each;
		else if (!Array.isArray(each))
			throw new InvalidInput(`must not have an object or null under '${name}'`, path, adviceFor(`${name}.Name`));
		else {
			const texts = each.filter(isScalar).map(String);
			if (texts.length < each.length)
				throw new InvalidInput(
					`must have only texts and numbers in the list '${name}', because this operation sends a form`,
					path,
					adviceFor(`${name}[0].Name`),
				);
			fields[name] = texts;
		}
	}
	return fields;
}

const adviceFor = (example: string) =>
	`Give each value inside a field of its own, under the name by which the service reads it in a form, for example { "${example}": "value" }.`;
