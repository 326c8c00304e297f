import type { OperationContext } from '../response/responseHandler';
import { toSafeName } from '../response/fileName';
import { readCompanyName } from '../companyScope/companyName';
import type { ScopedCompany } from '../companyScope/companyScope';
import { RequestError } from '../http/errors';
import type { HttpClient } from '../http/client';
import type { Choice } from '../values';
import { addHint } from './hints';
import type { Run } from './openRun';

/** Returns the company with its name, if that is known without a request. A company from the list of all companies already has its name. */
export async function addKnownCompanyName(
	{ inputItems, companyNameCache }: Run,
	{ company, fileLabel }: ScopedCompany,
	itemIndex: number,
): Promise<Choice | undefined> {
	if (!company || fileLabel !== undefined) return company;
	return { ...company, name: await readCompanyName(company, inputItems[itemIndex]?.json, companyNameCache) };
}

/**
 * Creates the context in which an operation runs for one company.
 * @param failedReadErrors gets an error for each entry of a list (such as a campaign job) that can't be read, if the node continues on failure
 */
export async function createOperationContext(
	run: Run,
	client: HttpClient,
	scopedCompany: ScopedCompany,
	itemIndex: number,
	failedReadErrors: RequestError[],
): Promise<OperationContext> {
	const { context, inputItems, companyNameCache, fileStore, failureController, hints } = run;
	const input = inputItems[itemIndex]?.json ?? {};
	const company = await addKnownCompanyName(run, scopedCompany, itemIndex);

	async function getFileLabel(): Promise<string> {
		if (scopedCompany.fileLabel !== undefined) return scopedCompany.fileLabel;
		if (!company) return '';
		const name = await readCompanyName(company, input, companyNameCache, client);
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
				failedReadErrors.push(new RequestError({ ...error.details, reason: `${part} could not be read: ${reason}` }));
			else addHint(hints, message, `${part}: ${reason}`, company);
		},
		reportSearch: (report) => {
			hints.searchReports.push(report);
		},
	};
}
