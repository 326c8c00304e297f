import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileStore } from '../answer/answer';
import { isCompleteList, missingHint, readAgainIfIncomplete } from '../answer/list';
import { listCompanies } from '../companies/companies';
import type { ReadCompanies } from '../form/field';
import type { KnownCompanies } from '../scope/nameOfCompany';
import { InvalidInput } from '../transport/errors';
import { Service, type ServiceSettings } from '../transport/service';
import { fileStoreOf } from './binary';
import { nothingTold, tell, type Told } from './hints';
import type { Operation } from './operation';

/** What all items of a run share. */
export interface Run {
	context: IExecuteFunctions;
	/** Opened once; if that is not possible, each item fails with the same error. */
	service: Promise<Service>;
	/** Reads the list of companies once, no matter how many items need it. */
	readCompanies: ReadCompanies;
	known: KnownCompanies;
	files: FileStore;
	/** Aborted when an item has failed and the node is to stop: then no item reads on. (Stop, of a person, is the service's signal.) */
	failed: AbortController;
	/** What is shown to the person after the run. */
	told: Told;
	/** The node's parameters as they were saved: expressions are not evaluated. */
	parameters: INodeParameters;
}

/** Opens what the items of a run share. */
export function openRun(context: IExecuteFunctions, settings: ServiceSettings, { reads }: Operation): Run {
	const failed = new AbortController();
	const service = Service.open(context, settings);
	// It fails where it is awaited, by each item; without this, Node would end the process for a rejection that nobody handles.
	service.catch(() => undefined);
	const known: KnownCompanies = { asked: new Map() };
	const told = nothingTold();
	const list = async () => {
		known.listed ??= service.then(async (opened) => {
			const read = async () => await listCompanies(opened, failed.signal);
			// A write must know that a name occurs only once.
			return reads ? await read() : await readAgainIfIncomplete(read);
		});
		// A failure is not kept, so that the next item tries again.
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

/** The error for a company's name where not all companies can be seen. */
const NOT_ALL_COMPANIES = new InvalidInput(
	'is a name, but the platform did not list all companies, so another one may have that name',
	[],
	"Nothing was changed. Choose the company 'From List', or enter its ID 'By ID'. A role that may see only some of the companies cannot use names here.",
);
