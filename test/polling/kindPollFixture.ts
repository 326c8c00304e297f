/** What the tests of a kind's lists share: one poll of two lists, that of all companies and that of one. */
import type { IDataObject } from 'n8n-workflow';
import type { Choices } from '../../nodes/shared/polling/choices';
import { KindPoll } from '../../nodes/shared/polling/kindPoll';
import { Memory } from '../../nodes/shared/polling/memory';
import { listOf, newKind, shortId, type KindState } from '../../nodes/shared/polling/state';
import type { Service } from '../../nodes/shared/transport/service';
import { HOUR, START } from './pollingFixture';
import { company, kind, runWith } from './runFixture';

export const own = listOf('c');
export const remembered = (ids: string[], hour = START / HOUR, status = '') =>
	new Map(ids.map((id) => [shortId(id), { hour, status }]));
/** Each company is asked, and was at least once. */
export const asksEach = { asksEach: true, cleanRounds: 1 };

export interface How extends Partial<Pick<Choices, 'watchesStatus' | 'alsoFirstSeen'>> {
	options?: Choices['options'];
	scope?: Choices['scope'];
	/** What the list of all companies has. */
	main?: IDataObject[];
	/** What the company's has. */
	acme?: IDataObject[];
	/** Whether there is no company. */
	isNobodyListed?: boolean;
	/** With what the service refuses, or fails to give, the list of all companies. */
	mainFails?: Error;
	/** The same for the company's. */
	acmeFails?: Error;
	/** Whether the companies cannot be listed. */
	cannotList?: boolean;
	isNew?: boolean;
	/** What the service's clock says. */
	servedAt?: number;
	/** For which list there is time for one page only. */
	cut?: 'main' | 'acme';
}

/** A poll in which each list is asked that is to be. @returns what was asked for, given and said, and what is remembered */
export async function poll(more: Partial<KindState>, how: How = {}) {
	const { main = [], acme = [], isNobodyListed = false, servedAt = Date.now(), cut, isNew = false, ...rest } = how;
	const { mainFails, acmeFails, cannotList = false, ...choices } = rest;
	const asked: string[] = [];
	const json: Service['json'] = async ({ body = {}, company: whose }) => {
		const { pageNumber: page, pageSize: size } = body;
		asked.push(`${whose ? 'company ' : ''}${String(page)}/${String(size)}`);
		const failure = whose ? acmeFails : mainFails;
		if (failure) throw failure;
		const records = whose ? acme : main;
		const counts = {
			totalNumberOfPages: Math.ceil(records.length / Number(size)),
			totalNumberOfRecords: records.length,
		};
		const results = records.slice((Number(page) - 1) * Number(size), Number(page) * Number(size));
		return await Promise.resolve({ data: { results, ...counts }, servedAt, messages: [], failed: false });
	};
	const settings = Object.assign(Object.create(null), { concurrency: 1 });
	const { run, said } = runWith(choices, { json, settings });
	const listed = jest.spyOn(run, 'listCompanies').mockResolvedValue(isNobodyListed ? [] : [company]);
	jest.spyOn(run, 'whyNoCompanies').mockResolvedValue(cannotList ? new Error('No companies') : undefined);
	const since = START - 48 * HOUR;
	const state = { ...newKind('s', 's', since), from: since, wholeAt: START, ...structuredClone(more) };
	const warn = (text: string) => void said.push(text);
	const { watchesStatus, alsoFirstSeen } = run.choices;
	const rules = { clock: run.clock, windowMs: 24 * HOUR, watchedMs: 0, watchesStatus, alsoFirstSeen, warn };
	const memory = new Memory(state, isNew, rules);
	const polled = new KindPoll(kind, memory, run);
	const stage = run.stage(1);
	await polled.readMain({ ...stage, isOver: () => cut === 'main' });
	if (polled.wantsCompanies) await polled.visitCompanies({ ...stage, isOver: () => cut === 'acme' }, 1);
	const isOnTheWay = listed.mock.lastCall?.[1];
	return {
		asked,
		said,
		state: memory.finish(),
		isOnTheWay,
		ids: polled.news.all.map(({ found: { id } }) => id),
		owners: polled.news.all.map((each) => each.company?.id),
		failures: run.failures,
	};
}
