/** Lists the kinds of form fields. Operations share most of their fields, so a test of how fields are parsed needs each kind only once. */
import type { Field } from '../../nodes/core/fields/field';
import { loadAllOperations, type ListedOperation } from '../contract/catalogue';

/** Describes everything in the definition of a field, and of the fields inside it, that decides whether a raw value is used or rejected. */
function describeField(name: string, field: Field<unknown>): unknown {
	const { property, innerFields = {}, shouldRejectEmptyExpression, displayConditions } = field;
	const { type, required, noDataExpression, typeOptions, displayName } = property;
	return {
		name,
		type,
		required,
		noDataExpression,
		hasRows: typeOptions?.multipleValues,
		defaultValue: property.default,
		shouldRejectEmptyExpression,
		displayConditions,
		// A field with one of these labels is checked more strictly.
		label: /\b(Name|Department)$/.exec(displayName)?.[0],
		innerFields: Object.entries(innerFields).map(([innerName, innerField]) => describeField(innerName, innerField)),
	};
}

/** A field, and the first operation that has a field of this kind. */
export interface FieldKind extends ListedOperation {
	name: string;
	field: Field<unknown>;
}

/** Lists one field of each kind of all operations. Fields of operations that read and of those that change data are of different kinds. */
export async function listFieldKinds(): Promise<FieldKind[]> {
	const kinds = new Map<string, FieldKind>();
	for (const listedOperation of await loadAllOperations()) {
		const { fields, isReadOnly } = listedOperation.operation;
		for (const [name, field] of Object.entries(fields)) {
			const description = JSON.stringify([isReadOnly, describeField(name, field)]);
			if (!kinds.has(description)) kinds.set(description, { ...listedOperation, name, field });
		}
	}
	return [...kinds.values()];
}
