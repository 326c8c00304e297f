import type { IDataObject } from 'n8n-workflow';

import type { ListRead } from '../pagination/readList';
import { companyOf } from '../companies/companies';
import { isStop, rethrow } from '../http/errors';
import type { Service } from '../http/client';
import { toJson, type Choice } from '../values';

export interface KnownCompanies {
	listed?: Promise<ListRead>;
	/** The names that were asked for, by the company's ID. */
	asked: Map<string, Promise<string>>;
}

/**
 * Tells what a company is called: as in the list that was read in this run; as a person chose it; as the input item of the same
 * company says; or else by one request for each company and run.
 * @param service undefined where it must not be asked for this
 * @returns empty where the service does not tell it
 * @throws ServiceError when the run was stopped
 */
export async function companyNameOf(
	{ id, name }: Choice,
	input: IDataObject | undefined,
	known: KnownCompanies,
	service?: Service,
): Promise<string> {
	const list = await known.listed?.catch(() => undefined);
	const companies = (list?.records ?? []).map(companyOf);
	const inList = companies.find((company) => company.id === id)?.name;
	// The saved name may belong to another company than the ID.
	const isNameOfAnother = name !== '' && companies.some((company) => company.id !== id && company.name === name);
	const savedName = isNameOfAnother ? '' : name;
	const inInput = input?.companyResourceId === id && typeof input.companyName === 'string' ? input.companyName : '';
	if (inList || savedName || inInput) return inList || savedName || inInput;
	const asking = known.asked.get(id) ?? (service ? askName(id, service) : undefined);
	if (asking) known.asked.set(id, asking);
	return (await asking) ?? '';
}

/** Asks for one company's name, which is not worth a failure. @throws ServiceError when the run was stopped */
async function askName(resourceId: string, service: Service): Promise<string> {
	const endpoint = 'GET /api/companies/{resourceId}';
	const request = {
		endpoint,
		purpose: 'read the name of the company',
		path: { resourceId },
	} as const;
	return await service.json(request).then(
		({ data }) => companyOf(toJson(data)).name,
		async (error: unknown) => (isStop(error) ? await rethrow(error) : ''),
	);
}
