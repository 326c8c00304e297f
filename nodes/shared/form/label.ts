import { startCase } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import type {} from './builderHint';

/** The texts of a field, and whether it is required. */
export interface Label {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
	/** What only an AI that builds workflows is told, besides the description; '' for nothing. */
	builderHint?: string;
}

/** The parts of an n8n property that a label sets; absent ones are left out. */
export function labelOf(label: Label): Omit<Label, 'builderHint'> & Pick<INodeProperties, 'builderHint'> {
	const { displayName, description, hint, placeholder, required, builderHint } = label;
	return {
		displayName,
		...(required ? { required } : {}),
		...(placeholder ? { placeholder } : {}),
		...(description ? { description } : {}),
		...(hint ? { hint } : {}),
		...(builderHint === undefined ? {} : { builderHint: { propertyHint: builderHint } }),
	};
}

/** The service's name of a field for people: "companyResourceId" → "Company Resource ID". */
export const labelOfName = (name: string) =>
	name
		.split('.')
		.map((part) =>
			startCase(part)
				.replace(/\bId P ?/, 'IdP ')
				.replace(/\bId(s?)\b/g, 'ID$1')
				.replace(/\bUrl\b/g, 'URL'),
		)
		.join(': ');
