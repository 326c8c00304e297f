import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { pageOf } from '../answer/page';
import { DEFAULT_PAGE_SIZE } from '../answer/paging';
import { mapBounded } from '../transport/concurrency';
import { rethrow } from '../transport/errors';
import type { Company } from '../transport/request';
import { isStatusWanted } from './choices';
import { itemsOf } from './items';
import type { News } from './memory';
import { foundIn } from './reading';
import type { Run } from './run';
import { companyIn, type Kind } from './trigger';

const MOST_SAMPLES = 5;
/** How many companies are asked at most, if the list of all companies does not say whose its records are. */
const MOST_COMPANIES = 20;

/**
 * Recent records, as the poll would give them. What is remembered is neither read nor changed.
 * @throws NodeOperationError where there are none; what reading them threw, where nothing could be read
 */
export async function samplesOf(run: Run): Promise<INodeExecutionData[]> {
	const { scope, kinds } = run.choices;
	const stage = run.stage(1);
	const width = run.service.settings.concurrency;
	const failures: unknown[] = [];
	const newest = async (kind: Kind, company?: Company): Promise<News[]> => {
		const { ask } = run.pagesOf(kind, company, stage);
		const page = await ask(
			{ pageNumber: 1, pageSize: run.choices.statuses.length > 0 ? DEFAULT_PAGE_SIZE : MOST_SAMPLES },
			stage.signal,
		).catch((error: unknown) => {
			failures.push(error);
			return null;
		});
		const found = pageOf(page).records.flatMap((record) => foundIn(record, kind.identity(record)));
		return found
			.filter((each) => isStatusWanted(run.choices, each.status))
			.slice(0, MOST_SAMPLES)
			.map((each) => ({ found: each, company }));
	};
	const ofKind = async (kind: Kind) => {
		const all = run.asksAll ? await newest(kind, scope.kind === 'one' ? scope.company : undefined) : [];
		const isNamed = all.length > 0 && all.every(({ found }) => companyIn(found.record).id !== undefined);
		if (isNamed || scope.kind !== 'every') return await itemsOf(run, kind, all, stage);
		const companies = (await run.listCompanies(stage)).slice(0, MOST_COMPANIES);
		const lists = await mapBounded(companies, width, async (company) => await newest(kind, company));
		return await itemsOf(
			run,
			kind,
			lists.flatMap((each) => (each.ok ? each.value : [])),
			stage,
		);
	};
	const items = (await Promise.all(kinds.map(ofKind))).flat();
	if (items.length === 0 && failures.length > 0) return await rethrow(failures[0]);
	if (items.length === 0) {
		const things = kinds.map((kind) => kind.things).join(' or ');
		const fields = [
			"'Company Scope'",
			...(run.asksAll ? [] : ["'Only Companies'"]),
			...(run.choices.watchesStatus ? ["'Only Statuses'"] : []),
		];
		throw new NodeOperationError(run.context.getNode(), `There are no ${things} yet`, {
			description: `The service lists none for what you chose. Create one on the platform and fetch again, or check ${fields.join(' and ')}. Activated, the workflow starts with the first one.`,
		});
	}
	return items
		.toSorted((one, other) => other.created - one.created)
		.slice(0, MOST_SAMPLES)
		.map(({ item }) => item);
}
