import type { IDataObject } from 'n8n-workflow';

import { findAccessWindow } from '../core/companies/accessWindow';
import { isForbidden, isRejected, toError } from '../core/http/errors';
import { defineOperation } from '../core/operation/defineOperation';
import { recordResponse } from '../core/response/recordResponse';
import type { OperationContext } from '../core/response/responseHandler';

/** Finds the access window in the list of the credential's companies. @returns undefined if the platform refuses the list. @throws RequestError */
async function findListedWindow({ client, company }: OperationContext): Promise<IDataObject | undefined> {
	try {
		return await findAccessWindow(client, company?.id);
	} catch (error) {
		if (isRejected(error) || isForbidden(error)) return undefined;
		throw toError(error);
	}
}

/**
 * Gets the access window of a company. The list of the credential's companies is read first, because the platform shows it even if the
 * customer doesn't let the reseller in (deployment onboarding 2). Some platforms have only one of the two requests.
 */
export const getAccessWindowOperation = defineOperation({
	value: 'getAccessWindow',
	name: 'Get Access Window',
	action: 'Get company access window',
	description: "Get the time in which a reseller may see a customer's data",
	outputNote:
		'The window starts at privacyDurationStartTime and ends at privacyDurationEndTime. No document explains the number in privacyDurationId.',
	endpoint: 'GET /api/companies/privacy',
	scope: 'companies',
	response: recordResponse(),
	perform: async (_values, { context, send }) => {
		const accessWindow = await findListedWindow(context);
		return accessWindow ? [{ json: accessWindow }] : await send();
	},
});
