import { defineOperation } from '../core/operation/defineOperation';
import { listResponse } from '../core/response/listResponse';

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many SMTP settings',
	description: 'List SMTP settings, which are mail servers to send emails with',
	endpoint: 'POST /api/companies/smtp-settings/search',
	scope: 'companies',
	response: listResponse({ identity: ['resourceId'] }),
});

/** The operations for SMTP settings (deployment onboarding 2). */
export const smtpSettingOperations = [getManyOperation];
