import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from './customerFixture';

/** The parameters of 'Create Company' with only its required fields, for tests of what else is sent with them. */
export const NEW_COMPANY: IDataObject = {
	operation: 'create',
	name: 'New',
	country: 'c',
	licensePeriodType: 'p',
	timeZone: toIdLocator('UTC'),
	industry: toIdLocator('i'),
	licenseType: toIdLocator('l'),
};
