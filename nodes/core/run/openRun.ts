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
import { createRunHints, addHint, type RunHints } from './hints';
import type { Operation } from '../operation/defineOperation';

/** The data of a node's run, shared by all of its items. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	settings: ClientSettings;
	inputItems: INodeExecutionData[];
	/** The HTTP client. It is opened once. If that fails, every item fails with the same error. */
	client: Promise<HttpClient>;
	/** Returns the list of companies. It is read only once, even if several items need it. */
	readCompanies: ReadCompanies;
	companyNames: CompanyNameCache;
	fileStore: FileStore;
	/** Cancels the reads of all items when one item makes the node fail. If the user stops the run, the client cancels all requests. */
	failureController: AbortController;
	/** The hints that are shown after the run. */
	hints: RunHints;
	/** The node's saved parameters. Their expressions are not evaluated. */
	savedParameters: INodeParameters;
}

/** Creates the data that all items of a run share. */
export function openRun(context: IExecuteFunctions, operation: Operation, settings: ClientSettings): Run {
	const failureController = new AbortController();
	const hints = createRunHints();
	const companyNames: CompanyNameCache = { namesById: new Map() };
	const client = HttpClient.open(context, settings);
	// Every item awaits the client and gets its error. Until then, an unhandled rejection would end the Node process.
	client.catch(() => undefined);
	return {
		context,
		operation,
		settings,
		inputItems: context.getInputData(),
		client,
		companyNames,
		readCompanies: createCompanyReader(operation, client, companyNames, hints, failureController.signal),
		failureController,
		hints,
		fileStore: createFileStore(context),
		savedParameters: context.getNode().parameters,
	};
}

/** Creates a function that reads the list of companies once per run. A failure is not kept, so the next item tries again. */
function createCompanyReader(
	{ isReadOnly }: Operation,
	client: Promise<HttpClient>,
	companyNames: CompanyNameCache,
	hints: RunHints,
	signal: AbortSignal,
): ReadCompanies {
	async function listAll(): Promise<ListResult> {
		const openedClient = await client;
		const readAll = () => listCompanies(openedClient, signal);
		// A write must know that the name of a company occurs only once, so it needs the complete list.
		return isReadOnly ? await readAll() : await readAgainIfIncomplete(readAll);
	}

	function listOnce(): Promise<ListResult> {
		companyNames.companyList ??= listAll();
		companyNames.companyList.catch(() => delete companyNames.companyList);
		return companyNames.companyList;
	}

	return async () => {
		const companies = await listOnce();
		if (!isReadOnly && !isCompleteList(companies)) throw INCOMPLETE_COMPANY_LIST;
		const hint = buildMissingRecordsHint(companies, 'The list of companies');
		if (hint && !hints.messages.has(hint[0])) addHint(hints, ...hint);
		return companies.records;
	};
}

/** The error for a company that is entered by name, if the list of companies is incomplete. */
const INCOMPLETE_COMPANY_LIST = new InvalidInputError(
	'is a name, but the platform did not list all companies, so another one may have that name',
	[],
	"Nothing was changed. Choose the company 'From List', or enter its ID 'By ID'. If the credential's role may see only some of the companies, names can't be used here.",
);
