import type { IDataObject } from 'n8n-workflow';

import { describe } from './describe';
import { Judge, type Finding, type Given } from './promise';
import { isOpen, type ModelRecord } from './platform';
import type { Run } from './run';
import { statusFindings } from './statusPromise';

/** The memory that n8n keeps for a trigger. */
const MOST_STATE_BYTES = 512 * 1024;

export interface Judgement {
	findings: Finding[];
	created: number;
	given: number;
	repeatedAfterCrash: number;
	/** Not given, and free not to be: too late, gone before it could be read, or not to be told from what was there before. */
	excused: number;
	/** Of these, named in the log. */
	named: number;
	/** Missed or given although they are old, where docs/triggers.md says that this happens. */
	documented: number;
}

/** How often a record may be given: once, and once more for each crash that made n8n forget that it was. */
const allowed = (given: Given[]): number => 1 + given.filter(({ poll }) => poll.crash === 'given').length;

/** Everything in which a run did not keep the promise. */
export function judge(run: Run): Judgement {
	const judge = new Judge(run);
	const findings: Finding[] = [];
	const counts = { created: 0, given: 0, repeatedAfterCrash: 0, excused: 0, named: 0 };
	const { triggerOn, alsoFirstSeen, onlyStatuses } = run.setup;
	const isNew = triggerOn === 'new';
	const isFirst = ({ item }: Given) => isNew || item.json.previousStatus === null;
	for (const record of run.platform.records) {
		const given = judge.givenOf(record).filter(isFirst);
		const born = record.visible[0]?.from ?? 0;
		if (born > judge.firstTry) counts.created++;
		counts.given += given.length;
		if (!isNew && (!alsoFirstSeen || onlyStatuses !== '')) continue;
		counts.repeatedAfterCrash += Math.min(given.length, allowed(given)) - Math.min(1, given.length);
		const duty = judge.duty(record);
		const text = `${describe(record, judge)}, given ${given.length} times (polls ${given.map(({ poll }) => run.polls.indexOf(poll)).join(', ')})`;
		const find = (kind: Finding['kind']) => findings.push(...judge.find(record, kind, text));
		if (given.length > allowed(given)) find('repeated');
		if (duty === 'never' && given.length > 0) find(record.shown.length === 0 ? 'foreign' : 'old');
		if (given.length > 0 || duty === 'never' || record.shown.length === 0) continue;
		if (duty === 'must') find('missed');
		else if (born > judge.firstTry) {
			const isNamed = judge.isNamed(record);
			counts.excused++;
			if (isNamed) counts.named++;
			else if (duty === 'named') find('silent');
		}
	}
	if (!isNew) findings.push(...statusFindings(judge));
	findings.push(...itemFindings(judge), ...pollFindings(run));
	return { findings, ...counts, documented: judge.documented };
}

/** What is wrong with the items themselves. */
function itemFindings(judge: Judge): Finding[] {
	const findings: Finding[] = [];
	const { setup, platform } = judge.run;
	for (const [marker, all] of judge.given) {
		const record = judge.byMarker.get(marker);
		for (const { item } of all) {
			const { companyResourceId, details } = item.json;
			if (!record) findings.push({ kind: 'foreign', text: `An item without a record: ${JSON.stringify(item.json)}` });
			else if (
				setup.includeDetails &&
				!record.detailsFailed &&
				isOpen(record.shown) &&
				record.shown.length === 1 &&
				!hasDetails(details, marker) &&
				!isExcused(judge.run, record, item.json)
			) {
				findings.push({ kind: 'without details', text: `${describe(record, judge)}: ${JSON.stringify(item.json)}` });
			}
			if (!record || companyResourceId === undefined || record.moves.length > 0) continue;
			const isAbove =
				setup.deployment.parentsIncludeChildren && platform.isAbove(String(companyResourceId), record.owner);
			if (companyResourceId !== record.owner && !isAbove) {
				findings.push({
					kind: 'wrong company',
					text: `${describe(record, judge)} is said to be of ${String(companyResourceId)}`,
				});
			}
		}
	}
	return findings;
}

const hasDetails = (details: unknown, marker: string): boolean =>
	typeof details === 'object' && details !== null && 'detailsOf' in details && details.detailsOf === marker;

/** Whether a record came without its details, and said so, after its company had failed for some polls. */
const isExcused = ({ polls }: Run, { owner, moves }: ModelRecord, { detailsError }: IDataObject): boolean =>
	typeof detailsError === 'string' &&
	// A refusal counts at once. One that has moved may have been another company's then.
	(polls.filter(({ failing }) => failing === 'all' || failing.has(owner) || (moves.length > 0 && failing.size > 0))
		.length >= (/\(40[34]\)/.test(detailsError) ? 1 : FAILED_TRIES) ||
		polls.filter(({ isShort }) => isShort).length >= SHORT_TRIES);
const FAILED_TRIES = 3;
const SHORT_TRIES = 9;

/**
 * So many requests, one after the other, must fit into a poll: with counts that are too high, listing companies takes
 * eight, and one more for each further page; a list that refuses the order and a search without a company, four more.
 */
const LEAST_REQUESTS = 16;

/** What is wrong with the polls: states that are too large, failures although everything works. */
function pollFindings(run: Run): Finding[] {
	const findings: Finding[] = [];
	const largest = Math.max(...run.polls.map(({ stateBytes }) => stateBytes));
	if (largest > MOST_STATE_BYTES) findings.push({ kind: 'state', text: `The state has ${largest} bytes` });
	if (run.changedByTest > 0) findings.push({ kind: 'state', text: 'Fetch Test Event changed the state' });
	const { budgetMs, deployment } = run.setup;
	// The list of companies, read to its end, and a list of records are the least.
	const pages = deployment.pageCap > 0 ? run.platform.companies.size / deployment.pageCap : 0;
	const isTooShort = budgetMs < (LEAST_REQUESTS + pages) * deployment.latencyMs;
	const failed = run.polls.find(({ error, isSettling, isShort }) => isSettling && error && !(isShort && isTooShort));
	if (failed) findings.push({ kind: 'failed', text: `A poll failed although all worked: ${failed.error?.message}` });
	return findings;
}
