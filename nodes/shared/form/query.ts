import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import { json } from './json';
import { isRecord, isScalar } from './value';
import type { Field } from './field';

/** Query parameters that neither the contract nor the deployment facts name; they win over the operation's own. */
export const queryParameters = (): Field<IDataObject> =>
	json({
		displayName: 'Query Parameters (JSON)',
		description: "Parameters that have no place of their own here, by the service's names; they win over the others",
		default: '{}',
		shape: parametersOf,
	});

/** @throws InvalidInput for what an address cannot hold */
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
