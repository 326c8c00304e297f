import { z } from 'zod';

import { readExample } from '../../real-n8n/examples';
import { PollingFixture } from '../../polling/pollingFixture';
import { ApiClient } from '../../stand-in/apiClient';
import { checkExample, sorted, until } from './check';

const JOBS = '/api/phishing-simulator/phishing-campaign-job-report';
const SUMMARY = `GET ${JOBS}/summary/{resourceId}/{instanceGroup}`;
const FIGURES = ['sent', 'opened', 'clicked', 'submitted', 'reported'] as const;
const envelope = z.object({ data: z.record(z.unknown()) });
/** 3.6 seconds. */
const HOURS = 0.001;

checkExample(5, async ({ service, inbox, runActive, workflow, refuse, texts, same }) => {
	const shipped = (await readExample('05-campaign-summary')).nodes.find(({ name }) => name === 'Settings');
	const { unit } = (await workflow()).nodes.find(({ type }) => type.endsWith('.wait'))?.parameters ?? {};
	const waits = /"name":"waitHours","value":48/.test(JSON.stringify(shipped?.parameters));
	same('as it is shipped it waits 48 hours', [waits, unit], [true, 'hours']);

	// Two customers of one name: only the ID tells whose campaign it is. A few customers are asked within a moment; the
	// workflow leaves out those whose license has expired.
	const valid = service.state.companies.filter(({ licenceExpired }) => !licenceExpired);
	const [twin, other] = valid.filter(({ companyName }) => companyName === 'Twin Peaks Consulting');
	const [third] = valid;
	if (!twin || !other || !third) throw new Error('The companies are missing.');
	for (const company of service.state.companies) company.licenceExpired ||= ![twin, other, third].includes(company);
	refuse(third, SUMMARY);
	const fixture = new PollingFixture(service);
	const create = (company: typeof twin) => {
		fixture.now = Date.now();
		const id = fixture.create('phishing', service.state.companies.indexOf(company));
		const { users, campaigns } = service.state.of(company.companyResourceId);
		const campaign = campaigns('phishing').find(({ resourceId }) => resourceId === id);
		campaign?.userResourceIds.push(...users.map(({ resourceId }) => resourceId));
		return { id, name: campaign?.name ?? '' };
	};

	let createdAt = 0;
	const campaigns: Array<ReturnType<typeof create>> = [];
	await runActive(
		async () => {
			await until('a poll', () => service.requests(`POST ${JOBS}/search`).length > 0);
			// The first poll asks every customer and only remembers.
			await until('the end of the first poll', async () => {
				const count = service.requests().length;
				await new Promise((resolve) => setTimeout(resolve, 1000));
				return service.requests().length === count;
			});
			createdAt = Date.now();
			campaigns.push(create(twin), create(third));
			await until('both messages', () => texts().length >= 2);
		},
		{ settings: { waitHours: HOURS } },
	);
	const asked = service.requests(SUMMARY);
	same(
		'the figures were asked for twice, for the right customers',
		sorted(asked.map(({ path, companyId }) => [campaigns.findIndex(({ id }) => path.includes(`/${id}/`)), companyId])),
		sorted([twin, third].map(({ companyResourceId }, index) => [index, companyResourceId])),
	);
	const early = asked.filter(({ at }) => at - createdAt < HOURS * 3_600_000);
	same('not before the time was over', early.length, 0);

	const [told, refused] = campaigns.map(({ name }) => texts().filter((text) => text.includes(`'${name}'`)));
	const api = new ApiClient(service, service.clients.reseller, twin.companyResourceId);
	const { data } = envelope.parse((await api.ask(`GET ${JOBS}/summary/${campaigns[0]?.id}/1`)).data);
	const read = FIGURES.map((name) => Number(new RegExp(`${name}(?: to|:) (\\d+)`, 'i').exec(told?.[0] ?? '')?.[1]));
	same(
		`the message names the customer and has the service's five figures (${read.join(', ')})`,
		[told?.[0]?.includes('of Twin Peaks Consulting'), ...read],
		[true, ...FIGURES.map((name) => data[name])],
	);
	same('of the other one the chat is told why', [refused?.length, /403/.test(refused?.[0] ?? '')], [1, true]);
	same('two messages, none of the campaigns that were there before', inbox.of('chatUrl').length, 2);
});
