import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileStore } from '../response/responseHandler';
import { isCompleteList, missingHint, readAgainIfIncomplete } from '../pagination/readList';
import { listCompanies } from '../companies/companies';
import type { ReadCompanies } from '../fields/field';
import type { KnownCompanies } from '../companyScope/companyName';
import { InvalidInput } from '../http/errors';
import { Service, type ServiceSettings } from '../http/client';
import { fileStoreOf } from './binaryFiles';
import { nothingTold, tell, type Told } from './hints';
import type { Operation } from '../operation/defineOperation';

/** The data that all items of a run share. */
export interface Run {
	context: IExecuteFunctions;
	/** The connection to the service, opened once. If that fails, each item fails with the same error. */
	service: Promise<Service>;
	/** Reads the list of companies once, no matter how many items need it. */
	readCompanies: ReadCompanies;
	known: KnownCompanies;
	files: FileStore;
	/** Aborted when an item has failed and the node stops on errors, so that no other item goes on. 'Stop' in n8n is the service's signal. */
	failed: AbortController;
	/** The hints to show after the run. */
	told: Told;
	/** The node's saved parameters. Their expressions are not evaluated. */
	parameters: INodeParameters;
}

/** Opens the data that all items of a run share. */
export function openRun(context: IExecuteFunctions, settings: ServiceSettings, { reads }: Operation): Run {
	const failed = new AbortController();
	const service = Service.open(context, settings);
	// Each item awaits it and gets its error. Until then, an unhandled rejection would end the Node process.
	service.catch(() => undefined);
	const known: KnownCompanies = { asked: new Map() };
	const told = nothingTold();
	const list = async () => {
		known.listed ??= service.then(async (opened) => {
			const read = () => listCompanies(opened, failed.signal);
			// A write must know that a name occurs only once.
			return reads ? await read() : await readAgainIfIncomplete(read);
		});
		// After a failure the next item tries again.
		known.listed.catch(() => delete known.listed);
		return await known.listed;
	};
	const readCompanies: ReadCompanies = async () => {
		const companies = await list();
		if (!reads && !isCompleteList(companies)) throw NOT_ALL_COMPANIES;
		const hint = missingHint(companies, 'The list of companies');
		if (hint && !told.messages.has(hint[0])) tell(told, ...hint);
		return companies.records;
	};
	return {
		context,
		service,
		known,
		readCompanies,
		failed,
		told,
		files: fileStoreOf(context),
		parameters: context.getNode().parameters,
	};
}

/** The error for a company's name if the list of companies is incomplete. */
const NOT_ALL_COMPANIES = new InvalidInput(
	'is a name, but the platform did not list all companies, so another one may have that name',
	[],
	"Nothing was changed. Choose the company 'From List', or enter its ID 'By ID'. If the credential's role may see only some of the companies, names can't be used here.",
);
