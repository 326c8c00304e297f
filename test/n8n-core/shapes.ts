import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

// n8n keeps the same JSON under several types; these say that the value is at least an object.
const nodeParametersSchema = z.custom<INodeParameters>(isRecord);
const credentialDataSchema = z.custom<ICredentialDataDecryptedObject>(isRecord);

export const parseNodeParameters = (value: unknown): INodeParameters => nodeParametersSchema.parse(value);
export const parseCredentialData = (value: unknown): ICredentialDataDecryptedObject => credentialDataSchema.parse(value);
