import type { OperationContext } from '../response/responseHandler';
import { safeName } from '../response/fileName';
import { companyNameOf } from '../companyScope/companyName';
import type { ScopedCompany } from '../companyScope/companyScope';
import { ServiceError } from '../http/errors';
import type { Service } from '../http/client';
import type { Choice } from '../values';
import { tell } from './hints';
import type { Run } from './openRun';

/** Adds the name of a company if it is known without a request. A company from the list has its name already. */
export async function addKnownName(
	{ context, known }: Run,
	{ company, fileLabel }: ScopedCompany,
	index: number,
): Promise<Choice | undefined> {
	if (!company || fileLabel !== undefined) return company;
	return { ...company, name: await companyNameOf(company, context.getInputData()[index]?.json, known) };
}

/** Creates the context in which an operation runs for a company. @param unread takes the parts that could not be read */
export async function operationContextOf(
	run: Run,
	service: Service,
	scoped: ScopedCompany,
	index: number,
	unread: ServiceError[],
) {
	const { context, failed, told, known } = run;
	const { fileLabel } = scoped;
	const input = context.getInputData()[index]?.json ?? {};
	const company = await addKnownName(run, scoped, index);
	const nameForFiles = async ({ id, name }: Choice) =>
		safeName(await companyNameOf({ id, name }, input, known, service)) || safeName(id);
	return {
		service,
		company,
		input,
		timezone: context.getTimezone(),
		signal: failed.signal,
		files: run.files,
		fileLabel: async () => fileLabel ?? (company ? await nameForFiles(company) : ''),
		hint: (message, about) => tell(told, message, about, company),
		reportUnread: (message, part, error) => {
			const reason = `${part} could not be read: ${error.details.reason}`;
			if (context.continueOnFail()) unread.push(new ServiceError({ ...error.details, reason }));
			else tell(told, message, `${part}: ${error.details.reason}`, company);
		},
		looked: (searched) => {
			told.looked.push(searched);
		},
	} satisfies OperationContext;
}
