import type { IDataObject } from 'n8n-workflow';

import type { FieldValues } from '../core/fields/field';
import { textField } from '../core/fields/fieldTypes';
import type { ListQuery } from '../core/response/listResponse';
import { formatList, isScalar, normalizeText } from '../core/values';

/** The filters that the node itself applies, because no document says that the platform can filter by these fields (contract 2.5). */
export const nodeFilterFields = {
	compliance: textField({
		displayName: 'Compliance',
		description: 'Only return trainings for this compliance standard, such as ISO 27001. Part of its name is enough.',
		placeholder: 'e.g. ISO 27001',
		required: true,
	}),
	targetAudience: textField({
		displayName: 'Target Audience',
		description: 'Only return trainings for this audience, such as Managers. Part of its name is enough.',
		placeholder: 'e.g. Managers',
		required: true,
	}),
};

/** A search text that the user entered, and the field of a training in which it is searched for. */
interface NodeFilter {
	/** The filter's label in the form. */
	label: string;
	/** The name of the training's field: a text or a list of texts. */
	recordField: string;
	searchText: string | undefined;
}

/** Returns true if a text of the training contains the search text. Case and accents are ignored. */
const isMatch = (record: IDataObject, { recordField, searchText = '' }: NodeFilter): boolean =>
	[record[recordField]]
		.flat()
		.some((text) => isScalar(text) && normalizeText(String(text)).includes(normalizeText(searchText)));

/**
 * Creates the part of a query that applies the node's own filters. If no training in the list has the field of a filter, `createHint`
 * returns a hint that says so.
 */
export function createNodeFilter({
	compliance,
	targetAudience,
}: Partial<FieldValues<typeof nodeFilterFields>>): Pick<ListQuery, 'shouldKeep' | 'createHint'> {
	const filters: NodeFilter[] = [
		{ label: 'Compliance', recordField: 'compliances', searchText: compliance },
		{ label: 'Target Audience', recordField: 'targetAudience', searchText: targetAudience },
	].filter(({ searchText }) => searchText !== undefined);
	if (filters.length === 0) return {};
	const missingFields = new Set(filters.map(({ recordField }) => recordField));
	let hasRecords = false;
	return {
		shouldKeep: (record) => {
			hasRecords = true;
			for (const { recordField } of filters) if (record[recordField] !== undefined) missingFields.delete(recordField);
			return filters.every((filter) => isMatch(record, filter));
		},
		createHint: () => {
			const labels = filters
				.filter(({ recordField }) => missingFields.has(recordField))
				.map(({ label }) => `'${label}'`);
			if (!hasRecords || labels.length === 0) return undefined;
			return `This platform's list of trainings doesn't show what ${formatList(labels)} compares, so no training was found. Remove the filter.`;
		},
	};
}
