import type { IPollFunctions, NodeParameterValueType } from 'n8n-workflow';

import { listCompanies } from '../pickers/companies';
import { companyNamed, nameIn } from '../pickers/companyName';
import { InvalidInput } from '../transport/errors';
import { toNodeError } from '../transport/nodeError';
import { DEFAULT_SETTINGS, Service } from '../transport/service';

/**
 * The context of a poll in which a company that was entered by name is chosen by its ID. The name is looked up for each
 * poll, because another company may have it by then.
 * @param things what the trigger looks for, for the error: "campaigns"
 * @returns the context itself if no name was entered
 * @throws NodeOperationError for a name of no company or of several; NodeApiError if the companies cannot be listed
 */
export async function withCompanyFound(context: IPollFunctions, things: string): Promise<IPollFunctions> {
	const { parameters } = context.getNode();
	if (!('company' in parameters) || context.getNodeParameter('companyScope') !== 'one') return context;
	try {
		const entered = nameIn(context.getNodeParameter('company'));
		if (entered === undefined) return context;
		const service = await Service.open(context, DEFAULT_SETTINGS);
		const { records } = await listCompanies(service);
		const { id, name } = companyNamed(entered, records);
		return withParameter(context, 'company', { __rl: true, mode: 'id', value: id, cachedResultName: name });
	} catch (error) {
		const inField = error instanceof InvalidInput ? error.within('Company') : error;
		throw toNodeError(context.getNode(), inField, { purpose: `look for ${things}` });
	}
}

/** The context with another value for one parameter. */
function withParameter(context: IPollFunctions, name: string, value: NodeParameterValueType): IPollFunctions {
	const get = context.getNodeParameter.bind(context);
	const getNodeParameter = (...asked: Parameters<typeof get>) => (asked[0] === name ? value : get(...asked));
	return new Proxy(context, {
		get: (target, key): unknown => (key === 'getNodeParameter' ? getNodeParameter : Reflect.get(target, key)),
	});
}
