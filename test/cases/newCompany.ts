import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from './customerFixture';

/** The parameters of "Create Company" with only the required fields, for tests that add others. */
export const NEW_COMPANY: IDataObject = {
	operation: 'create',
	name: 'New',
	country: 'c',
	licensePeriodType: 'p',
	timeZone: toIdLocator('UTC'),
	industry: toIdLocator('i'),
	licenseType: toIdLocator('l'),
};
