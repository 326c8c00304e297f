import type { IPollFunctions } from 'n8n-workflow';

import type { FieldMap, Values } from '../form/field';
import { FormValues } from '../form/formValues';
import { listCompanies } from '../pickers/companies';
import { scopeOf } from '../scope/scope';
import { ServiceError } from '../transport/errors';
import { DEFAULT_SETTINGS, Service } from '../transport/service';
import { companiesOf } from './companies';
import { DEFAULT_TIMEOUT_S, formOfTrigger, pollFields } from './fields';
import { DAY_MS, LATE_MS } from './state';
import type { ListedCompany, Poll, Rules, TriggerForm, TriggerSpec } from './trigger';

/** n8n's own limit where it does not name one (n8n-facts 6). */
const USUAL_BUDGET_MS = 5 * 60_000;
/** How old the reading of the credential may be that requests are sent with: n8n takes 60 ms of CPU for each. */
const CREDENTIAL_AGE_MS = 1000;

/** What is to be said where the time was up. */
export const tooSlow = () =>
	new ServiceError({
		reason: 'the service did not answer in the time that a poll has for it',
		advice:
			"The next poll tries again. If it goes on, set a larger 'Page Size' or fewer 'Watched Days', or split the trigger by company.",
		cause: 'temporarily-unavailable',
		transient: true,
	});

/** Says something in n8n's log. */
export function warn(context: IPollFunctions, message: string): void {
	const { name, id } = context.getWorkflow();
	context.logger.warn(`${context.getNode().name} of workflow '${name ?? id}': ${message}`);
}

/** Reads the form. @throws InvalidInput */
async function readForm(context: IPollFunctions, spec: TriggerForm): Promise<FormValues> {
	const { parameters } = context.getNode();
	const raw = (name: string): unknown => (name in parameters ? (context.getNodeParameter(name) ?? null) : undefined);
	const upload = () => Promise.reject(new TypeError('A trigger has no input'));
	return (await FormValues.read(formOfTrigger(spec), raw, { timezone: context.getTimezone(), upload })).valid();
}

/** How long this poll may take, in ms. n8n tells it from 2.3x on. */
function budgetOf(context: IPollFunctions): number {
	const newer: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const budget = newer.getPollBudgetMs?.();
	return typeof budget === 'number' && budget > 0 ? budget : USUAL_BUDGET_MS;
}

function rulesOf({ triggerOn, alsoFirstSeen, statuses = [], options }: Values<ReturnType<typeof pollFields>>): Rules {
	const { emitExistingSince: since, watchedDays = 30 } = options;
	const watchesStatus = triggerOn === 'statusChanged';
	return {
		watchesStatus,
		alsoFirstSeen: alsoFirstSeen === true,
		statuses: statuses.map((status) => status.toLowerCase()),
		windowMs: watchesStatus ? watchedDays * DAY_MS : LATE_MS,
		existingSince: watchesStatus || !since ? Infinity : Date.parse(since),
	};
}

/** @throws InvalidInput; ServiceError if a company that was entered by name cannot be looked up */
export async function openPoll<F extends FieldMap>(context: IPollFunctions, spec: TriggerSpec<F>) {
	const signal = AbortSignal.timeout(budgetOf(context));
	const read = await readForm(context, spec);
	const values = read.of(pollFields(spec));
	const { options } = values;
	const service = await Service.open(context, {
		concurrency: options.concurrency ?? DEFAULT_SETTINGS.concurrency,
		timeoutMs: (options.timeout ?? DEFAULT_TIMEOUT_S) * 1000,
		credentialAgeMs: CREDENTIAL_AGE_MS,
	});
	const list = async () => (await listCompanies(service, signal)).records;
	const form = await read.resolved(list);
	const scope = scopeOf('companies', form);
	let listed: Promise<ListedCompany[]> | undefined;
	const poll: Poll = {
		service,
		rules: rulesOf(values),
		scope,
		mayCoverAll: scope.kind === 'every' && Object.keys(scope.filter).length === 0 && options.askEachCompany !== true,
		// Half a minute less, or polls that are as often would skip every other one.
		askEachMs: scope.kind === 'every' ? (options.askEachEvery ?? 15) * 60_000 - 30_000 : 0,
		pageSize: options.pageSize ?? 100,
		signal,
		now: Date.now(),
		companies: async () => await (listed ??= companiesOf(scope, list, (text) => warn(context, text))),
		warn: (text) => warn(context, text),
	};
	return { poll, kinds: spec.kinds(form.of(spec.fields)) };
}
