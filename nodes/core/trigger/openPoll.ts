import type { IPollFunctions } from 'n8n-workflow';

import type { FieldMap, FieldValues } from '../fields/field';
import { FormValues, createParameterReader } from '../fields/formValues';
import { listCompanies } from '../companies/companies';
import { readScope } from '../companyScope/companyScope';
import { DEFAULT_CLIENT_SETTINGS, HttpClient } from '../http/client';
import { listWatchedCompanies } from './readCompanies';
import { DEFAULT_POLL_TIMEOUT_S, buildTriggerForm, createPollFields } from './triggerFields';
import { DAY_MS, MAX_LISTING_DELAY_MS, type TriggerMemory } from './state';
import type {
	Poll,
	TriggerDefinition,
	TriggerFormDefinition,
	TriggerRules,
	WatchedCompany,
	WatchedList,
} from './defineTrigger';

/** The time limit of a poll in ms in n8n versions that don't provide one (n8n 6). */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** A poll that is ready to run. */
interface OpenedPoll {
	poll: Poll;
	watchedLists: WatchedList[];
	/** The company to remember for the next poll. Undefined unless the user entered a company by name. */
	company: TriggerMemory['company'];
}

/**
 * Reads the form and opens the client. If the user entered a company by name, its ID is looked up, unless it is
 * remembered.
 * @throws InvalidInputError; RequestError if the company can't be looked up
 */
export async function openPoll<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
	memory: TriggerMemory,
): Promise<OpenedPoll> {
	const budgetMs = getBudgetMs(context);
	const signal = AbortSignal.timeout(budgetMs);
	const enteredForm = await readTriggerForm(context, definition);
	const values = enteredForm.get(createPollFields(definition));
	const { options } = values;
	const client = await HttpClient.open(context, {
		concurrency: options.concurrency ?? DEFAULT_CLIENT_SETTINGS.concurrency,
		timeoutMs: (options.timeout ?? DEFAULT_POLL_TIMEOUT_S) * 1000,
	});
	const readCompanies = async () => (await listCompanies(client, signal)).records;

	const enteredScope = readScope('companies', enteredForm);
	const enteredName =
		enteredScope.kind === 'one' && enteredScope.company.id === '' ? enteredScope.company.name : undefined;
	const lookupKey = JSON.stringify([client.baseUrl, client.clientId, enteredName]);
	const rememberedCompany =
		memory.company?.[0] === lookupKey ? { resourceId: memory.company[1], name: enteredName } : undefined;
	const form = await enteredForm.resolveCompanies(
		rememberedCompany ? () => Promise.resolve([rememberedCompany]) : readCompanies,
	);
	const scope = readScope('companies', form);

	const { logWarning, logInfo } = createTriggerLogger(context);
	let watchedCompanies: Promise<WatchedCompany[]> | undefined;
	const listCompaniesOnce = () => {
		watchedCompanies ??= listWatchedCompanies(scope, readCompanies, logWarning, context.getTimezone());
		return watchedCompanies;
	};
	const hasCompanyFilter = scope.kind === 'every' && Object.keys(scope.filter).length > 0;
	const poll: Poll = {
		client,
		rules: readRules(values),
		scope,
		pageSize: options.pageSize ?? 100,
		signal,
		budgetMs,
		logWarning,
		logInfo,
		mayUseGlobalList: scope.kind === 'every' && !hasCompanyFilter && options.askEachCompany !== true,
		// Half a minute is subtracted, because the time between two polls varies slightly. Otherwise, if n8n polls at this
		// interval, every second poll might skip the companies.
		companyReadIntervalMs: scope.kind === 'every' ? (options.askEachEvery ?? 15) * 60_000 - 30_000 : 0,
		startedAt: Date.now(),
		activeReads: new Set(),
		listCompanies: listCompaniesOnce,
	};
	const wasEnteredByName = enteredName !== undefined && scope.kind === 'one';
	return {
		poll,
		watchedLists: definition.getWatchedLists(form.get(definition.fields)),
		company: wasEnteredByName ? [lookupKey, scope.company.id] : undefined,
	};
}

/** Creates the functions that write to n8n's log. Each message starts with the names of the node and the workflow. */
export function createTriggerLogger(context: IPollFunctions): Pick<Poll, 'logWarning' | 'logInfo'> {
	const { name, id } = context.getWorkflow();
	const addOrigin = (message: string) => `${context.getNode().name} of workflow '${name ?? id}': ${message}`;
	const { logger } = context;
	return {
		logWarning: (message) => logger.warn(addOrigin(message)),
		logInfo: (message) => logger.info(addOrigin(message)),
	};
}

/**
 * Reads the values that the user entered.
 * @throws InvalidInputError
 */
async function readTriggerForm(context: IPollFunctions, definition: TriggerFormDefinition): Promise<FormValues> {
	const readParameter = createParameterReader(context.getNode(), (name) => context.getNodeParameter(name));
	const form = await FormValues.read(buildTriggerForm(definition), readParameter, {
		timezone: context.getTimezone(),
		readUpload: () => Promise.reject(new TypeError('A trigger has no input')),
	});
	return form.assertValid();
}

/** Returns the time limit of this poll in ms. n8n 2.3x and later provide it. */
function getBudgetMs(context: IPollFunctions): number {
	const newerContext: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const budgetMs = newerContext.getPollBudgetMs?.();
	return typeof budgetMs === 'number' && budgetMs > 0 ? budgetMs : DEFAULT_BUDGET_MS;
}

/** Converts the values of the form to the rules that decide which records are emitted. */
function readRules(values: FieldValues<ReturnType<typeof createPollFields>>): TriggerRules {
	const { triggerOn, alsoFirstSeen, statuses = [], options } = values;
	const { emitExistingSince, watchedDays = 30 } = options;
	const watchesStatus = triggerOn === 'statusChanged';
	return {
		watchesStatus,
		includesFirstSeen: alsoFirstSeen === true,
		statuses: statuses.map((status) => status.toLowerCase()),
		windowMs: watchesStatus ? watchedDays * DAY_MS : MAX_LISTING_DELAY_MS,
		existingSince: watchesStatus || !emitExistingSince ? Infinity : Date.parse(emitExistingSince),
	};
}
