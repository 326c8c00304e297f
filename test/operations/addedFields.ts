/** Fields that a user adds to a request as JSON, although no document describes them. Every operation with a body takes such fields. */
import { merge } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { listEndpointKeys } from '../contract/catalogue';
import { getRoute, hasBody } from '../contract/keys';
import { isJsonObject } from '../stand-in/http';
import type { OperationRecord } from './records';

const ADDED_JSON = { brandNew: { deep: [1, 'two'] } };
// The values are texts, because a multipart form can contain only texts.
const ADDED_FORM_FIELDS = { brandNew: ['1', 'two'] };

/** Returns the name of the collection in an operation's form that contains 'Additional Fields (JSON)'; undefined if there is none. */
export const findAdditionalFieldsBlock = ({ fields }: Operation): string | undefined =>
	['options', 'additionalFields'].find((name) => 'additionalFieldsJson' in (fields[name]?.innerFields ?? {}));

/** The operations whose requests have a body to which no fields can be added, such as an imported file. */
const OPERATIONS_WITH_FIXED_BODY = [
	'Import target users from file',
	'Resend enrollment certificates',
	'Add company group members',
];

/** Returns the key of the first request with a body to which fields can be added; undefined if there is none. */
export function findRequestWithBody(operation: Operation): string | undefined {
	// The requests of a composite that only reads just look something up.
	if (operation.endpoint === null && operation.isReadOnly) return undefined;
	if (OPERATIONS_WITH_FIXED_BODY.includes(operation.action)) return undefined;
	return listEndpointKeys(operation).find(hasBody);
}

const isMultipart = (key: string) => getRoute(key).bodyType === 'multipart';

/** Reads the fields in 'Additional Fields (JSON)' of a block of the form. */
function readJsonFields(block: unknown): Record<string, unknown> {
	const json = isJsonObject(block) ? (block.additionalFieldsJson ?? '{}') : '{}';
	return z.record(z.unknown()).parse(JSON.parse(String(json)));
}

/** Adds ADDED_JSON to the parameters of an operation, if its request has a body. */
export function addJsonFields(operation: Operation, parameters: IDataObject): IDataObject {
	const key = findRequestWithBody(operation);
	const block = findAdditionalFieldsBlock(operation);
	if (key === undefined || block === undefined) return parameters;
	const addedFields = isMultipart(key) ? ADDED_FORM_FIELDS : ADDED_JSON;
	const additionalFieldsJson = JSON.stringify({ ...readJsonFields(parameters[block]), ...addedFields });
	return merge({}, parameters, { [block]: { additionalFieldsJson } });
}

/** Lists the names of the fields in 'Additional Fields (JSON)'. The strict stand-in must accept them, although no document describes them. */
export const listJsonFieldNames = ({ options, additionalFields }: IDataObject): string[] =>
	[options, additionalFields].flatMap((block) => Object.keys(readJsonFields(block)));

/** Checks that the fields of `addJsonFields` were sent, in a composite in one of its requests. */
export function expectAddedFields({ operation, requests }: OperationRecord): void {
	const key = findRequestWithBody(operation);
	if (key === undefined) return;
	const addedFields = isMultipart(key) ? { fields: expect.objectContaining(ADDED_FORM_FIELDS) } : ADDED_JSON;
	const ownRequests = requests.filter(({ route }) => operation.endpoint !== null && route === key);
	// The search for the people of a campaign job is sent to another endpoint than the one in the operation's definition.
	const candidates = ownRequests.length > 0 ? ownRequests : requests;
	expect(candidates.map(({ body }) => body)).toContainEqual(expect.objectContaining(addedFields));
}
