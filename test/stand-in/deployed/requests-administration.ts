/** Valid requests for what can be done to system users and settings besides, for requests.ts. */
import { randomUUID } from 'node:crypto';
import type { Row } from '../http';
import { body, formOf, type Deployed } from './testing';

type Add = (key: string, ids?: Record<string, string>, sent?: Row) => unknown;

/** What is deleted is made for that alone. */
export async function addAdministration({ customer }: Deployed, saml: Row, add: Add): Promise<void> {
	const made = async (key: string, sent: unknown) => ({
		resourceId: String((await customer.record(key, sent)).resourceId),
	});
	const user = { email: 'x@customer.example', firstName: 'X', lastName: 'Y', phoneNumber: '+15551234567' };
	const userId = await made('POST /api/system-users', user);
	add('PUT /api/system-users/{resourceId}', userId, user);
	add('DELETE /api/system-users/{resourceId}', userId);
	const name = randomUUID().slice(0, 30);
	await customer.data('POST /api/scim', { name });
	const integrations = await customer.results('POST /api/scim/search', body('Name'));
	const scim = integrations.find((each) => each.name === name);
	add('DELETE /api/scim/{resourceId}', { resourceId: String(scim?.resourceId) });
	const samlId = await made('POST /api/companies/saml-settings', formOf(saml, true));
	add('DELETE /api/companies/saml-settings/{resourceId}', samlId);
	const setting = { name, tenantId: 'tenant', allowedDomains: ['customer.example'] };
	const emailId = await made('POST /api/companies/direct-email-settings', setting);
	add('DELETE /api/companies/direct-email-settings/{resourceId}', emailId);
	add('POST /api/audit-logs/search', {}, body('LogDate'));
}
