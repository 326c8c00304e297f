import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

// n8n keeps the same JSON under several types; these say that the value is at least an object.
const parameters = z.custom<INodeParameters>(isRecord);
const credentialData = z.custom<ICredentialDataDecryptedObject>(isRecord);

export const asParameters = (value: unknown): INodeParameters => parameters.parse(value);
export const asCredentialData = (value: unknown): ICredentialDataDecryptedObject => credentialData.parse(value);
