/**
 * Tests which lists accept a value that isn't in them. n8n's editor marks such a value with a red triangle, unless the property has
 * `allowArbitraryValues` (n8n 4).
 */
import type { INodeProperties } from 'n8n-workflow';
import type { Field, FieldMap, ItemContext } from '../../nodes/core/fields/field';
import { loadAllOperations } from '../contract/catalogue';
import { createNode, manifest } from '../n8n-core/package';
import { getOptions, listFields } from '../rules/nodeFields';

const LIST_TYPES: readonly string[] = ['options', 'multiOptions'];
const itemContext: ItemContext = {
	timezone: 'Europe/Berlin',
	readUpload: () => Promise.reject(new Error('A list has no file')),
};

/** A list of a form, and the names that lead to it. */
interface PlacedList {
	path: string;
	field: Field<unknown>;
}

const listLists = (fields: FieldMap, pathPrefix: string): PlacedList[] =>
	Object.entries(fields).flatMap(([name, field]) => {
		const path = `${pathPrefix} ${name}`;
		const innerLists = listLists(field.innerFields ?? {}, path);
		return LIST_TYPES.includes(field.property.type) ? [{ path, field }, ...innerLists] : innerLists;
	});

/** Values that no list has: a name, numbers, and the numbers of options whose value is a number as text. */
function buildUnlistedValues(options: Array<{ value: unknown }>): unknown[] {
	const numbers = options.map(({ value }) => Number(value)).filter((number) => !Number.isNaN(number));
	const values = ['A Name of No Entry', '987', 987, ...numbers];
	return [...values, ...values.map((value) => [value])];
}

async function isAccepted({ parse }: Field<unknown>, raw: unknown): Promise<boolean> {
	try {
		await parse(raw, itemContext);
		return true;
	} catch {
		return false;
	}
}

test('a list of an operation has allowArbitraryValues if it accepts a value that is not in it, and no other list has it', async () => {
	const lists = (await loadAllOperations()).flatMap(({ node, key, operation }) =>
		listLists(operation.fields, `${node} ${key}`),
	);
	expect(lists.length).toBeGreaterThan(500);
	const faults: string[] = [];
	let openListCount = 0;
	for (const { path, field } of lists) {
		const { property, variants = [property] } = field;
		const options = variants.flatMap((variant) => getOptions({ ...variant, name: '' }));
		const results = await Promise.all(buildUnlistedValues(options).map(async (raw) => isAccepted(field, raw)));
		const isOpen = results.includes(true);
		if (isOpen) openListCount++;
		if (variants.some(({ allowArbitraryValues = false }) => allowArbitraryValues !== isOpen))
			faults.push(`${path} ${isOpen ? 'accepts such a value' : 'rejects such a value'}`);
	}
	expect(faults).toEqual([]);
	expect(openListCount).toBeGreaterThan(50);
});

test('a field that decides which variant of a list is shown has no expression, because n8n would then show all variants', async () => {
	const faults: string[] = [];
	let variantCount = 0;
	const checkForm = (fields: FieldMap, path: string): void => {
		for (const [name, { property, variants: allVariants = [], innerFields = {} }] of Object.entries(fields)) {
			const variants = LIST_TYPES.includes(property.type) ? allVariants : [];
			variantCount += variants.length;
			const decidingFields = new Set(variants.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})));
			for (const decidingField of decidingFields)
				if (!fields[decidingField]?.property.noDataExpression) faults.push(`${path} ${decidingField}`);
			checkForm(innerFields, `${path} ${name}`);
		}
	};
	for (const { node, key, operation } of await loadAllOperations()) checkForm(operation.fields, `${node} ${key}`);
	expect(faults).toEqual([]);
	expect(variantCount).toBeGreaterThan(30);
});

test('every list that a node loads has allowArbitraryValues, in operations and triggers', async () => {
	const faults: string[] = [];
	for (const nodePath of manifest.n8n.nodes) {
		const { description } = await createNode(nodePath);
		const loadedLists = listFields(description).filter(
			({ property }: { property: INodeProperties }) => property.typeOptions?.loadOptionsMethod !== undefined,
		);
		for (const { property, path } of loadedLists)
			if (property.allowArbitraryValues !== true) faults.push(`${description.name} ${path}`);
	}
	expect(faults).toEqual([]);
});
