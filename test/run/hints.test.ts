/** What a person is told after a run besides the items: why there are none, which of many failed. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessSmishingCampaign } from '../../nodes/SmishingCampaign/SecurityAwarenessSmishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { toIdLocator } from '../cases';
import { callListSearch } from '../n8n-core';
import {
	startFakeServer,
	closeFakeServers,
	catchNodeError,
	getHintMessages,
	isFailedItem,
	toItems,
	createNodeFixture,
	requireValue,
	type NodeClass,
} from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 6 });
const company = (index = 1) => requireValue(b.standIn.state.companies[index]);
const one = (): IDataObject => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'list', value: company().companyResourceId, cachedResultName: 'Harbour <b>Bakery' },
});
const jobOf = (simulator: 'phishing' | 'smishing') => {
	const sent = b.standIn.state.getCompanyData(company().companyResourceId).getCampaigns(simulator);
	return toIdLocator(`${requireValue(sent.find(({ instanceGroups }) => instanceGroups.includes(1))).resourceId}/1`);
};
const EVERY = { companyScope: 'every' };
const JULY = { period: 'custom', periodStart: '1990-07-01T00:00:00', periodEnd: '1990-08-01T00:00:00' };
const ALL = { period: 'custom', excludeTests: false };
const noOneIn = (route: string) =>
	b.standIn.setOptions({
		transformEnvelope: (envelope, request) => (request.route.includes(route) ? { data: { results: [] } } : envelope),
	});
afterEach(() => b.standIn.setOptions({ transformEnvelope: undefined }));

describe('an output without items says why', () => {
	test.each<[string, NodeClass, () => IDataObject, RegExp]>([
		[
			'a list of every customer',
			SecurityAwarenessTargetGroup,
			() => ({ operation: 'getMany', ...EVERY, filters: { searchText: 'a-secret' } }),
			/^No target groups at any of 6 customers \(with 'Search Text'\)\.$/,
		],
		[
			'a list of one customer, whose name is no HTML',
			SecurityAwarenessEnrollment,
			() => ({ operation: 'getMany', ...one(), filters: { searchText: 'a-secret' } }),
			/^No enrollments at Harbour &lt;b>Bakery \(with 'Search Text'\)\.$/,
		],
		[
			"the credential's own",
			SecurityAwarenessEnrollment,
			() => ({ operation: 'getMany', companyScope: 'own', filters: { searchText: 'a-secret' } }),
			/^No enrollments \(with 'Search Text'\)\.$/,
		],
		[
			'simulations of a period without any',
			SecurityAwarenessPhishingCampaign,
			() => ({ operation: 'fullReportOfPeriod', ...EVERY, ...JULY }),
			/^No phishing campaign job from 1 July 1990 to 31 July 1990 at any of 6 customers\.$/,
		],
		[
			'trainings of a period without any',
			SecurityAwarenessTrainingReport,
			() => ({ operation: 'progressOfPeriod', ...one(), ...JULY }),
			/^No enrollment from 1 July 1990 to 31 July 1990 at Harbour &lt;b>Bakery\.$/,
		],
		[
			'simulations in which nobody did it',
			SecurityAwarenessPhishingCampaign,
			() => ({ operation: 'fullReportOfPeriod', ...EVERY, ...ALL, onlyPeopleWho: 'clicked' }),
			/^\d+ phishing campaign jobs until \d+ \w+ \d{4} at 6 customers, but nobody in them \(with 'Only People Who' \(Clicked\)\)\.$/,
		],
		[
			'one simulation in which nobody did it',
			SecurityAwarenessPhishingCampaign,
			() => ({ operation: 'clicked', ...one(), job: jobOf('phishing') }),
			/^1 phishing campaign job at Harbour &lt;b>Bakery, but nobody clicked the link\.$/,
		],
		[
			'the same of text messages',
			SecurityAwarenessSmishingCampaign,
			() => ({ operation: 'reported', ...one(), job: jobOf('smishing') }),
			/^1 smishing campaign job at Harbour &lt;b>Bakery, but nobody reported the message\.$/,
		],
	])('%s', async (_name, node, parameters, said) => {
		noOneIn('{searchType}/search');
		const result = await b.run(node, { returnAll: true, ...parameters() }, { alwaysOutputData: true });
		// Those that n8n makes, because the node is to have one.
		expect(result.items.map(({ json }) => json)).toEqual([{}]);
		expect(getHintMessages(result)).toEqual([expect.stringMatching(said)]);
		expect(getHintMessages(result).join()).not.toContain('a-secret');
	});

	test('several items: how many customers they are of; nothing, where one of them has something', async () => {
		const parameters = {
			operation: 'getMany',
			companyScope: 'one',
			company: toIdLocator('={{ $json.id }}'),
			filters: { searchText: '={{ $json.text }}' },
		};
		const run = async (...texts: string[]) =>
			getHintMessages(
				await b.run(SecurityAwarenessTargetGroup, parameters, {
					items: toItems(...texts.map((text, index) => ({ id: company(index).companyResourceId, text }))),
				}),
			);
		expect(await run('nowhere', 'nowhere')).toEqual(["No target groups at any of 2 customers (with 'Search Text')."]);
		expect(await run('nowhere', '')).toEqual([]);
	});
});

test('with Continue: how many of how many failed, and each keeps its customer, also where nothing was asked', async () => {
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		company: toIdLocator('={{ $json.companyResourceId }}'),
		returnAll: false,
		limit: '={{ $json.limit }}',
	};
	const items = toItems(
		...[50, 0, 50, 0].map((limit, index) => ({
			companyResourceId: company(index).companyResourceId,
			companyName: `Customer ${index}`,
			limit,
		})),
	);
	const result = await b.run(SecurityAwarenessTargetGroup, parameters, { items, onError: 'continueRegularOutput' });
	expect(getHintMessages(result)).toEqual([
		'2 of 4 failed: Customer 1, Customer 3. The field message of their items says why.',
	]);
	expect(result.items.filter(isFailedItem).map(({ json }) => json.companyName)).toEqual(['Customer 1', 'Customer 3']);
});

describe('n8n renders errors as HTML', () => {
	afterEach(closeFakeServers);
	const IMAGE = '<img src=x onerror=alert(1)>';
	const inHtml = (text: string) => text.replaceAll('<', '&lt;');
	const search = 'POST /api/target-groups/search/current-company';
	const refusing = async () =>
		(await startFakeServer({ [search]: { status: 400, body: { status: 'INPUT_ERROR', validationMessages: [IMAGE] } } }))
			.store;

	test("the service's message, a customer's name and the entered text are shown as text", async () => {
		const store = await refusing();
		const refused = await catchNodeError(b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', ...one() }, { store }));
		expect(refused.message).toContain("for 'Harbour &lt;b>Bakery'");
		expect(refused.description).toContain(`The service says: ${inHtml(IMAGE)}`);
		const typed = await catchNodeError(
			b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', ...one(), returnAll: IMAGE }),
		);
		expect(typed.message).toBe(`'Return All' must be true or false, but is '${inHtml(IMAGE)}'`);
	});

	test('in the editor, where a list cannot be read', async () => {
		const failed = callListSearch({
			node: new SecurityAwarenessTargetGroup(),
			method: 'searchTargetGroups',
			parameters: { operation: 'get', companyScope: 'own' },
			credential: await refusing(),
		});
		expect((await catchNodeError(failed)).description).toContain(`The service says: ${inHtml(IMAGE)}`);
	});

	test('the items of a node that continues on errors are data, so they are not escaped', async () => {
		const parameters = { operation: 'getMany', ...one() };
		const store = await refusing();
		const { items } = await b.run(SecurityAwarenessTargetGroup, parameters, {
			store,
			onError: 'continueRegularOutput',
		});
		expect(items[0]?.json.error).toMatchObject({
			message: expect.stringContaining("for 'Harbour <b>Bakery'"),
			description: expect.stringContaining(IMAGE),
		});
	});
});
