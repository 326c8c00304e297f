/** What can be done to system users and settings that are there, and the audit log (deployment beyond). */
import { check, found, invalid } from '../envelope';
import { acting, beside, writing, type Call, type Route, type Row } from '../http';
import { guid } from '../random';
import { rolesOf } from '../routes/clients';
import { systemUserFields } from '../routes/users-scim';
import { strictSearch, type StrictListing } from './lists';

/** Takes away the one of the company's that the path names. */
const removing =
	(what: string, of: (call: Call) => Array<{ resourceId: string }>) =>
	(call: Call): string => {
		const all = of(call);
		const at = all.findIndex(({ resourceId }) => resourceId === call.params.resourceId);
		const { resourceId } = found(all[at], what);
		all.splice(at, 1);
		return resourceId;
	};

/** The record becomes what was sent: what is left out is empty afterwards. */
function changeUser(call: Call): string {
	const { companyResourceId: _none, ...asked } = check(systemUserFields, call.json);
	const user = found(
		call.home.systemUsers.find(({ resourceId }) => resourceId === call.params.resourceId),
		'system user',
	);
	const roles = rolesOf(call);
	if (asked.roleResourceIdList?.some((id) => !roles.some(({ resourceId }) => resourceId === id)))
		throw invalid('Role is invalid');
	user.email = asked.email;
	user.asked = asked;
	return user.resourceId;
}

/** What was entered in the log: one entry for each API client and each integration. */
const AUDIT_LOGS: StrictListing = {
	rows: ({ home: { clients, scim, company } }) =>
		[...clients, ...scim].map(({ resourceId, name, createTime }): Row => ({
			resourceId: guid(`audit ${resourceId}`),
			userName: `admin@${company.companyResourceId}.example`,
			entityResourceId: resourceId,
			entityName: name,
			oldValue: null,
			newValue: JSON.stringify({ name }),
			operation: 'Create',
			ip: '198.51.100.7',
			userAgent: 'Mozilla/5.0',
			auditDescription: `${name} was created`,
			logDate: createTime,
		})),
	id: 'resourceId',
	name: 'entityName',
	required: 'none',
	filter: 'optional',
	text: ['userName', 'entityName', 'auditDescription'],
	sorts: ['LogDate', 'UserName', 'EntityName', 'Operation', 'Ip', 'UserAgent', 'AuditDescription'],
};

export function administrationRoutes(): Route[] {
	const byId = '{resourceId}';
	const settings = '/api/companies';
	return [
		writing(`PUT /api/system-users/${byId}`, changeUser),
		acting(
			`DELETE /api/system-users/${byId}`,
			removing('system user', ({ home }) => home.systemUsers),
		),
		acting(
			`DELETE /api/scim/${byId}`,
			removing('SCIM integration', ({ home }) => home.scim),
		),
		acting(
			`DELETE ${settings}/saml-settings/${byId}`,
			removing('SAML setting', ({ home }) => home.samlSettings),
		),
		acting(
			`DELETE ${settings}/direct-email-settings/${byId}`,
			removing('direct email setting', ({ home }) => home.emailSettings),
		),
		strictSearch('POST /api/audit-logs/search', AUDIT_LOGS),
	].map(beside);
}
