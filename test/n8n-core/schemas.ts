import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

// n8n has several types for the same JSON. These schemas convert between them, and check only that the value is an
// object.
const nodeParametersSchema = z.custom<INodeParameters>(isRecord);
const credentialDataSchema = z.custom<ICredentialDataDecryptedObject>(isRecord);

/**
 * Parses the parameters of a node.
 * @throws ZodError if the value is no object
 */
export const parseNodeParameters = (value: unknown): INodeParameters => nodeParametersSchema.parse(value);

/**
 * Parses the data of a credential.
 * @throws ZodError if the value is no object
 */
export const parseCredentialData = (value: unknown): ICredentialDataDecryptedObject =>
	credentialDataSchema.parse(value);

/**
 * Returns a value that must exist in the data of a test.
 * @throws Error if it is null or undefined
 */
export function requireValue<T>(value: T | null | undefined): T {
	if (value === undefined || value === null) throw new Error('The test data has no such value');
	return value;
}
