import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import type { FormFields } from '../transport/request';
import { json } from './json';
import { isRecord, isScalar } from './value';
import type { Field } from './field';

const LABEL = {
	displayName: 'Additional Fields (JSON)',
	description:
		"Fields that have no place of their own here, by the service's names; they are added last and win over the others",
	default: '{}',
};

/** What JavaScript knows every object by: n8n stumbles over a body that has its own. */
const NOT_FIELDS = ['__proto__', 'constructor', 'prototype'];

function objectOf(value: unknown): Record<string, unknown> {
	if (value === undefined) return {};
	if (!isRecord(value)) throw new InvalidInput('must be a JSON object', [], 'For example: { "name": "value" }.');
	const taken = NOT_FIELDS.find((name) => Object.hasOwn(value, name));
	if (taken !== undefined)
		throw new InvalidInput(
			`must not have a field called '${taken}'`,
			[],
			'Leave it out: the service has no such field.',
		);
	return value;
}

/** Body fields that neither the contract nor the deployment facts name; merged last. */
export const moreFields = (): Field<IDataObject> =>
	json({ ...LABEL, shape: (value) => objectOf(value) as IDataObject });

/**
 * The same in a multipart body, which holds only texts, numbers, yes or no, and lists of texts. Lists of objects are
 * refused: nothing says how a deployment reads them, and a platform on ASP.NET would not read JSON text there but one
 * field for each value, named as in "Items[0].Name", which can be written here as it is.
 * @throws InvalidInput
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
