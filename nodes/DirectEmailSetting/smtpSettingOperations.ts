import { defineOperation } from '../core/operation/defineOperation';
import { listResponse } from '../core/response/listResponse';

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many SMTP settings',
	description: 'List the SMTP settings, which define the mail servers that send emails',
	endpoint: 'POST /api/companies/smtp-settings/search',
	scope: 'companies',
	response: listResponse({ identity: ['resourceId'] }),
});

/** The operations for SMTP settings (deployment onboarding 2). */
export const smtpSettingOperations = [getManyOperation];
