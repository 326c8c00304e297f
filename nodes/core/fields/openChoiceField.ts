import type { INodePropertyOptions } from 'n8n-workflow';

import { toPropertySettings, type Field, type FieldSettings } from './field';

interface OpenChoiceSettings<T> extends FieldSettings {
	options: INodePropertyOptions[];
	/** Accepts the values of the options, and other values. */
	parse: Field<T>['parse'];
}

/**
 * Creates a field in which the user selects one of several values. An expression may return other values as well. n8n's editor marks a value
 * that isn't in a list as wrong, unless the property has `allowArbitraryValues` (n8n 4).
 */
export const openChoiceField = <T>(settings: OpenChoiceSettings<T> & { default: string }): Field<T> => ({
	property: {
		...toPropertySettings(settings),
		type: 'options',
		options: settings.options,
		allowArbitraryValues: true,
		default: settings.default,
	},
	parse: settings.parse,
});

/** Creates a field like `openChoiceField` in which the user selects several values. */
export const openMultiChoiceField = <T>(settings: OpenChoiceSettings<T> & { default: string[] }): Field<T> => ({
	property: {
		...toPropertySettings(settings),
		type: 'multiOptions',
		options: settings.options,
		allowArbitraryValues: true,
		default: settings.default,
	},
	parse: settings.parse,
});
