import type { IPollFunctions } from 'n8n-workflow';

import type { FieldMap, FieldValues } from '../fields/field';
import { FormValues, createParameterReader } from '../fields/formValues';
import { listCompanies } from '../companies/companies';
import { readScope } from '../companyScope/companyScope';
import { DEFAULT_CLIENT_SETTINGS, HttpClient } from '../http/client';
import { createTimeoutSignal } from '../http/clock';
import { createTriggerLogger } from './createTriggerLogger';
import { listWatchedCompanies } from './readCompanies';
import { DEFAULT_PAGE_SIZE } from '../pagination/readList';
import {
	buildTriggerForm,
	createPollFields,
	DEFAULT_POLL_TIMEOUT_S,
	DEFAULT_READ_INTERVAL_MINUTES,
	pollSettings,
} from './triggerFields';
import { DAY_MS, MAX_LISTING_DELAY_MS } from './state';
import type { TriggerMemory } from './triggerMemory';
import type { CompanyPoll, Poll, TriggerDefinition, TriggerRules, WatchedCompany, WatchedList } from './defineTrigger';

/** The time limit of a poll in ms in n8n versions that don't provide one (n8n 6). */
const DEFAULT_TIME_LIMIT_MS = 5 * 60_000;

/** A poll that is ready to run, and the form with the values that the user entered. */
interface OpenedPoll<P extends CompanyPoll> {
	poll: P;
	form: FormValues;
	/**
	 * The company to remember for the next poll, so that its name needn't be looked up again. Undefined unless the user
	 * entered a company by name.
	 */
	companyToRemember: TriggerMemory['company'];
}

/**
 * Reads the form and opens the client. If the user entered a company by name, looks up its ID, unless `memory` contains
 * it. Also replaces names and selected entries in the other fields by IDs.
 * @param defaultReadInterval the default of 'Read Each Company Every', in minutes
 * @throws InvalidInputError; RequestError if a name can't be looked up
 */
export async function openCompanyPoll(
	context: IPollFunctions,
	fields: FieldMap,
	memory: TriggerMemory,
	defaultReadInterval: number,
): Promise<OpenedPoll<CompanyPoll>> {
	const timeLimitMs = getTimeLimitMs(context);
	const signal = createTimeoutSignal(timeLimitMs);
	const enteredForm = await readTriggerForm(context, fields);
	const { options } = enteredForm.get(pollSettings);
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
	const formWithCompany = await enteredForm.resolveCompanies(
		rememberedCompany ? () => Promise.resolve([rememberedCompany]) : readCompanies,
	);
	const scope = readScope('companies', formWithCompany);
	const form = await formWithCompany.resolveNames({
		getClient: () => Promise.resolve(client),
		getCompany: () => Promise.resolve(scope.kind === 'one' ? scope.company : undefined),
		signal,
	});

	const { logWarning, logInfo } = createTriggerLogger(context);
	let watchedCompanies: Promise<WatchedCompany[]> | undefined;
	const getWatchedCompanies = () => {
		watchedCompanies ??= listWatchedCompanies(scope, readCompanies, logWarning, context.getTimezone());
		return watchedCompanies;
	};
	const readIntervalMinutes = options.readEachCompanyEvery ?? defaultReadInterval;
	const poll: CompanyPoll = {
		client,
		scope,
		pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
		signal,
		timeLimitMs,
		logWarning,
		logInfo,
		// The time between two polls varies slightly. If n8n polls every 15 minutes and the interval were 15 minutes too, a
		// poll that starts a second early would skip the companies. So half a minute is subtracted.
		companyReadIntervalMs: scope.kind === 'every' ? readIntervalMinutes * 60_000 - 30_000 : 0,
		startedAt: Date.now(),
		getWatchedCompanies,
	};
	const isCompanyEnteredByName = enteredCompanyName !== undefined && scope.kind === 'one';
	return { poll, form, companyToRemember: isCompanyEnteredByName ? [lookupKey, scope.company.id] : undefined };
}

/**
 * Opens the poll of a trigger that watches records, as `openCompanyPoll` does.
 * @throws InvalidInputError, RequestError
 */
export async function openPoll<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
	memory: TriggerMemory,
): Promise<OpenedPoll<Poll> & { watchedLists: WatchedList[] }> {
	const fields = buildTriggerForm(definition);
	const openedPoll = await openCompanyPoll(context, fields, memory, DEFAULT_READ_INTERVAL_MINUTES);
	const { poll, form } = openedPoll;
	const values = form.get(createPollFields(definition));
	const hasCompanyFilter = poll.scope.kind === 'every' && Object.keys(poll.scope.filter).length > 0;
	const recordPoll: Poll = {
		...poll,
		rules: readRules(values),
		canUseGlobalList: poll.scope.kind === 'every' && !hasCompanyFilter && values.options.readEachCompany !== true,
		activeReads: new Set(),
	};
	return { ...openedPoll, poll: recordPoll, watchedLists: definition.getWatchedLists(form.get(definition.fields)) };
}

/**
 * Reads and checks the values that the user entered.
 * @throws InvalidInputError
 */
async function readTriggerForm(context: IPollFunctions, fields: FieldMap): Promise<FormValues> {
	const readParameter = createParameterReader(context.getNode(), (name) => context.getNodeParameter(name));
	const form = await FormValues.read(fields, readParameter, {
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
