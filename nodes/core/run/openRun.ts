import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { FileStore } from '../response/responseHandler';
import { isCompleteList, buildMissingRecordsHint, type ListResult } from '../pagination/listResult';
import { readAgainIfIncomplete } from '../pagination/readCompleteList';
import { listCompanies } from '../companies/companies';
import type { ReadCompanies } from '../fields/field';
import type { CompanyNameCache } from '../companyScope/companyName';
import { InvalidInputError } from '../http/errors';
import { HttpClient, type ClientSettings } from '../http/client';
import { createFileStore } from './binaryFiles';
import type { IncompleteErrorItem } from './failures';
import type { SelectedOperation } from './findOperation';
import { createRunHints, addHint, type RunHints } from './hints';
import type { Operation } from '../operation/defineOperation';

/** The data of one run of a node. All input items share it. */
export interface Run {
	context: IExecuteFunctions;
	/** The value of the operation's resource. */
	resource: string;
	operation: Operation;
	settings: ClientSettings;
	inputItems: INodeExecutionData[];
	/** The HTTP client. It is opened once per run. If that fails, every item fails with the same error. */
	client: Promise<HttpClient>;
	/** Returns all companies. They are read only once, even if several items need them. */
	readCompanies: ReadCompanies;
	companyNameCache: CompanyNameCache;
	fileStore: FileStore;
	/**
	 * Cancels the reads of all items when one item makes the node fail. It isn't used if the user stops the run: the client cancels all
	 * requests then.
	 */
	failureController: AbortController;
	/** The items for errors at companies whose names aren't known yet. */
	incompleteErrorItems: IncompleteErrorItem[];
	/** The data for the hints that are shown after the run. */
	hints: RunHints;
	/** The node's saved parameters. Their expressions are not evaluated. */
	savedParameters: INodeParameters;
}

/** Creates the data that all items of a run share. */
export function openRun(
	context: IExecuteFunctions,
	{ resource, operation }: SelectedOperation,
	settings: ClientSettings,
): Run {
	const failureController = new AbortController();
	const hints = createRunHints();
	const companyNameCache: CompanyNameCache = { requestedNamesById: new Map() };
	const client = HttpClient.open(context, settings);
	// Every item awaits the client and gets the error. Without this handler, an error before that would end the Node process.
	client.catch(() => undefined);
	return {
		context,
		resource,
		operation,
		settings,
		inputItems: context.getInputData(),
		client,
		companyNameCache,
		readCompanies: createCompanyReader(operation, client, companyNameCache, hints, failureController.signal),
		failureController,
		hints,
		incompleteErrorItems: [],
		fileStore: createFileStore(context),
		savedParameters: context.getNode().parameters,
	};
}

/** Creates a function that reads the list of companies once per run. After a failure, the next item tries again. */
function createCompanyReader(
	{ isReadOnly }: Operation,
	client: Promise<HttpClient>,
	companyNameCache: CompanyNameCache,
	hints: RunHints,
	signal: AbortSignal,
): ReadCompanies {
	async function listAllCompanies(): Promise<ListResult> {
		const openedClient = await client;
		const readAllCompanies = () => listCompanies(openedClient, signal);
		// A write must be sure that only one company has the entered name, so it needs the complete list.
		return isReadOnly ? await readAllCompanies() : await readAgainIfIncomplete(readAllCompanies);
	}

	function getCompanyList(): Promise<ListResult> {
		companyNameCache.companyList ??= listAllCompanies();
		companyNameCache.companyList.catch(() => delete companyNameCache.companyList);
		return companyNameCache.companyList;
	}

	return async () => {
		const companies = await getCompanyList();
		if (!isReadOnly && !isCompleteList(companies)) throw INCOMPLETE_COMPANY_LIST_ERROR;
		const hint = buildMissingRecordsHint(companies, 'The list of companies');
		if (hint) addHint(hints, ...hint);
		return companies.records;
	};
}

/** The error of a write whose company is entered by name, if the list of companies is incomplete. */
const INCOMPLETE_COMPANY_LIST_ERROR = new InvalidInputError(
	'is a name, but the platform did not list all companies, so another company may have the same name',
	[],
	"Nothing was changed. Select the company 'From List', or enter its ID 'By ID'. If the credential's role may see only some of the companies, you can't use names here.",
);
