import type { OperationContext } from '../response/responseHandler';
import { toSafeName } from '../response/fileName';
import { readCompanyName } from '../companyScope/companyName';
import type { ScopedCompany } from '../companyScope/companyScope';
import { RequestError } from '../http/errors';
import type { HttpClient } from '../http/client';
import type { Choice } from '../values';
import { addHint } from './hints';
import type { Run } from './openRun';

/** Adds the name of a company if it is known without a request. A company from the list already has its name. */
export async function addKnownCompanyName(
	{ inputItems, companyNames }: Run,
	{ company, fileLabel }: ScopedCompany,
	index: number,
): Promise<Choice | undefined> {
	if (!company || fileLabel !== undefined) return company;
	return { ...company, name: await readCompanyName(company, inputItems[index]?.json, companyNames) };
}

/**
 * Creates the context in which an operation runs for one company.
 * @param unreadErrors the list to which the errors of unread parts are added, if the node continues on failure
 */
export async function createOperationContext(
	run: Run,
	client: HttpClient,
	scopedCompany: ScopedCompany,
	index: number,
	unreadErrors: RequestError[],
): Promise<OperationContext> {
	const { context, inputItems, companyNames, fileStore, failureController, hints } = run;
	const input = inputItems[index]?.json ?? {};
	const company = await addKnownCompanyName(run, scopedCompany, index);

	async function getFileLabel(): Promise<string> {
		if (scopedCompany.fileLabel !== undefined) return scopedCompany.fileLabel;
		if (!company) return '';
		const name = await readCompanyName(company, input, companyNames, client);
		return toSafeName(name) || toSafeName(company.id);
	}

	return {
		client,
		company,
		input,
		timezone: context.getTimezone(),
		signal: failureController.signal,
		files: fileStore,
		getFileLabel,
		addHint: (message, details) => addHint(hints, message, details, company),
		reportUnread: (message, part, error) => {
			const { reason } = error.details;
			if (context.continueOnFail())
				unreadErrors.push(new RequestError({ ...error.details, reason: `${part} could not be read: ${reason}` }));
			else addHint(hints, message, `${part}: ${reason}`, company);
		},
		reportSearch: (search) => {
			hints.searchReports.push(search);
		},
	};
}
