import { defineOperation } from '../core/operation/defineOperation';
import { listResponse } from '../core/response/listResponse';

export const getAuditLogsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many audit logs',
	description: 'List the entries of the audit log: who changed what and when',
	endpoint: 'POST /api/audit-logs/search',
	scope: 'companies',
	response: listResponse({
		identity: ['resourceId'],
		sortableFields: { 'Log Date': 'LogDate', 'User Name': 'UserName' },
		outputFields: {
			simplified: [
				'logDate',
				'userName',
				'operation',
				'entityName',
				'auditDescription',
				'oldValue',
				'newValue',
				'ip',
				'resourceId',
			],
			additional: ['entityResourceId', 'userAgent'],
		},
	}),
});
