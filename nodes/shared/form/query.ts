import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import { json } from './json';
import { isRecord, isScalar } from './value';
import type { Field } from './field';

/**
 * The field for query parameters that neither the contract nor the deployment facts name; they replace the operation's
 * own.
 */
export const queryParameters = (): Field<IDataObject> =>
	json({
		displayName: 'Query Parameters (JSON)',
		description: "Further parameters, by the service's names",
		default: '{}',
		shape: parametersOf,
	});

/** @throws InvalidInput for values that cannot be part of an address, such as lists */
function parametersOf(value: unknown): IDataObject {
	if (value === undefined) return {};
	const example = 'For example: { "trainingType": 0 }.';
	if (!isRecord(value)) throw new InvalidInput('must be a JSON object', [], example);
	const parameters: IDataObject = {};
	for (const [name, each] of Object.entries(value)) {
		if (!isScalar(each))
			throw new InvalidInput(`must have a text, a number, true or false under '${name}'`, [], example);
		parameters[name] = each;
	}
	return parameters;
}
