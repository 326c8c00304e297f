/**
 * Random histories of a platform and of n8n, judged by what docs/triggers.md promises. `npm test` runs a few, chosen by the
 * seed of the sample; DEEP=1 runs many. main.ts runs any number of them, in several processes.
 */
import { deepOr, seed } from '../../setup/depth';

import { Answers } from './answers';
import { histories } from './histories';
import { PLAIN_SETUP, randomHistory, type Step } from './history';
import { judge } from './judgement';
import { HistoryRunner, type Run } from './run';
import { ModelServer } from './server';

const COUNT = deepOr(1500, 30);

test(
	'random histories: nothing missed, nothing repeated, nothing silent',
	async () => {
		const { failures, counts } = await histories(COUNT, seed * 10_000, { shrink: true, mostFailures: 3 });
		const told = failures.map(
			({ seed: own, text, findings }) =>
				`seed ${own}\n${text}\n${findings.map((each) => `${each.kind}: ${each.text}`).join('\n')}`,
		);
		expect(told.join('\n\n')).toBe('');
		expect(counts.given).toBeGreaterThan(COUNT);
	},
	deepOr(3_600_000, 120_000),
);

describe('the model itself', () => {
	const server = new ModelServer();
	beforeAll(async () => await server.start());
	afterAll(async () => await server.close());

	const steps: Step[] = [
		{ do: 'poll', times: 2, minutes: 5 },
		{ do: 'create', list: 1, company: 1, count: 3, lateMinutes: 0, time: 'usual', status: 1 },
		{ do: 'poll', times: 2, minutes: 5 },
	];
	const runOf = async (): Promise<Run> => await new HistoryRunner(server).run({ setup: PLAIN_SETUP, steps });
	const kinds = (run: Run) => [...new Set(judge(run).findings.map(({ kind }) => kind))];

	test('finds nothing wrong with a history that went well', async () => {
		const run = await runOf();
		expect(judge(run)).toMatchObject({ findings: [], created: 3, given: 3 });
	});

	test('finds a record that was not given', async () => {
		const run = await runOf();
		for (const poll of run.polls) poll.items = poll.items.slice(1);
		expect(kinds(run)).toEqual(['missed']);
	});

	test('finds a record that was given twice, unless n8n forgot the poll', async () => {
		const run = await runOf();
		const first = run.polls.find(({ items }) => items.length > 0);
		const last = run.polls.at(-1);
		if (!first || !last) throw new Error('Nothing was given');
		last.items = first.items;
		expect(kinds(run)).toEqual(['repeated']);
		first.crash = 'given';
		expect(judge(run)).toMatchObject({ findings: [], repeatedAfterCrash: 3 });
	});

	test('finds a record that was there before the activation, and one of a list that nobody watches', async () => {
		const run = await runOf();
		const [last] = run.polls.slice(-1);
		const old = run.platform.records.find(
			({ list, created }) => list === 'phishing' && created < (run.polls[0]?.start ?? 0),
		);
		const foreign = run.platform.records.find(({ list }) => list === 'smishing');
		if (!last || !old || !foreign) throw new Error('The platform is empty');
		last.items = [{ json: { marker: old.marker } }];
		expect(kinds(run)).toEqual(['old']);
		last.items = [{ json: { marker: foreign.marker } }];
		expect(kinds(run)).toEqual(['foreign']);
	});

	test('a seed gives the same history again', () => {
		expect(randomHistory(4711)).toEqual(randomHistory(4711));
		expect(randomHistory(4711)).not.toEqual(randomHistory(4712));
	});

	test('pages are cut, and totals lie, as the deployment says', async () => {
		const { platform } = await runOf();
		const { setup } = randomHistory(1);
		const deployment = { ...setup.deployment, pageCap: 2, totals: 'low', sort: 'obeyed', unscoped: 'all' } as const;
		const body = { pageNumber: 1, pageSize: 50, orderBy: 'CreateTime', ascending: false, filter: {} };
		const path = '/api/phishing-simulator/phishing-campaign/search';
		const answers = new Answers(platform, deployment, { shuffled: (all) => [...all] });
		const { data } = answers.answer({ method: 'POST', path, body });
		expect(data).toMatchObject({ pageSize: 2, totalNumberOfPages: 5, totalNumberOfRecords: 10 });
		expect(platform.records.filter(({ list }) => list === 'phishing')).toHaveLength(12);
	});
});
