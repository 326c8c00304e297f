import type { IPollFunctions } from 'n8n-workflow';

import type { FieldMap, FieldValues } from '../fields/field';
import { FormValues, createParameterReader } from '../fields/formValues';
import { listCompanies } from '../companies/companies';
import { readScope } from '../companyScope/companyScope';
import { DEFAULT_CLIENT_SETTINGS, HttpClient } from '../http/client';
import { createTimeoutSignal } from '../http/clock';
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
const DEFAULT_TIME_LIMIT_MS = 5 * 60_000;

/** A poll that is ready to run. */
interface OpenedPoll {
	poll: Poll;
	watchedLists: WatchedList[];
	/**
	 * The company to remember for the next poll, so that its name needn't be looked up again. Undefined unless the user
	 * entered a company by name.
	 */
	companyToRemember: TriggerMemory['company'];
}

/**
 * Reads the form and opens the client. If the user entered a company by name, looks up its ID, unless `memory` contains
 * it.
 * @throws InvalidInputError; RequestError if the company can't be looked up
 */
export async function openPoll<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
	memory: TriggerMemory,
): Promise<OpenedPoll> {
	const timeLimitMs = getTimeLimitMs(context);
	const signal = createTimeoutSignal(timeLimitMs);
	const enteredForm = await readTriggerForm(context, definition);
	const values = enteredForm.get(createPollFields(definition));
	const { options } = values;
	const client = await HttpClient.open(context, {
		concurrency: options.concurrency ?? DEFAULT_CLIENT_SETTINGS.concurrency,
		timeoutMs: (options.timeout ?? DEFAULT_POLL_TIMEOUT_S) * 1000,
	});
	const readCompanies = async () => (await listCompanies(client, signal)).records;

	const enteredScope = readScope('companies', enteredForm);
	const enteredCompanyName =
		enteredScope.kind === 'one' && enteredScope.company.id === '' ? enteredScope.company.name : undefined;
	const lookupKey = JSON.stringify([client.baseUrl, client.clientId, enteredCompanyName]);
	const rememberedCompany =
		memory.company?.[0] === lookupKey ? { resourceId: memory.company[1], name: enteredCompanyName } : undefined;
	const form = await enteredForm.resolveCompanies(
		rememberedCompany ? () => Promise.resolve([rememberedCompany]) : readCompanies,
	);
	const scope = readScope('companies', form);

	const { logWarning, logInfo } = createTriggerLogger(context);
	let watchedCompanies: Promise<WatchedCompany[]> | undefined;
	const getWatchedCompanies = () => {
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
		timeLimitMs,
		logWarning,
		logInfo,
		canUseGlobalList: scope.kind === 'every' && !hasCompanyFilter && options.readEachCompany !== true,
		// The time between two polls varies slightly. If n8n polls every 15 minutes and the interval were 15 minutes too, a
		// poll that starts a second early would skip the companies. So half a minute is subtracted.
		companyReadIntervalMs: scope.kind === 'every' ? (options.readEachCompanyEvery ?? 15) * 60_000 - 30_000 : 0,
		startedAt: Date.now(),
		activeReads: new Set(),
		getWatchedCompanies,
	};
	const isCompanyEnteredByName = enteredCompanyName !== undefined && scope.kind === 'one';
	return {
		poll,
		watchedLists: definition.getWatchedLists(form.get(definition.fields)),
		companyToRemember: isCompanyEnteredByName ? [lookupKey, scope.company.id] : undefined,
	};
}

/**
 * Creates the functions that write to n8n's log. They begin each message with the names of the node and the workflow.
 */
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
 * Reads and checks the values that the user entered.
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

/**
 * Returns the time limit of this poll in ms. Recent versions of n8n provide it (n8n 6). Without it, the default applies.
 */
function getTimeLimitMs(context: IPollFunctions): number {
	const newerContext: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const timeLimitMs = newerContext.getPollBudgetMs?.();
	return typeof timeLimitMs === 'number' && timeLimitMs > 0 ? timeLimitMs : DEFAULT_TIME_LIMIT_MS;
}

/** Converts the values of the form to the rules that decide which records are emitted. */
function readRules(values: FieldValues<ReturnType<typeof createPollFields>>): TriggerRules {
	const { triggerOn, includeNewRecords, statuses = [], options } = values;
	const { includeExistingSince, watchedDays = 30 } = options;
	const shouldWatchStatus = triggerOn === 'statusChanged';
	return {
		shouldWatchStatus,
		shouldEmitFirstSeenRecords: includeNewRecords === true,
		watchedStatuses: statuses.map((status) => status.toLowerCase()),
		windowMs: shouldWatchStatus ? watchedDays * DAY_MS : MAX_LISTING_DELAY_MS,
		includeExistingSince: shouldWatchStatus || !includeExistingSince ? Infinity : Date.parse(includeExistingSince),
	};
}
