import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import readSheet from 'read-excel-file/node';

import { SIMULATORS, type Simulator } from '../../stand-in/personality';
import { page, ApiClient } from '../../stand-in/apiClient';
import { checkExample, textsOf } from './check';
import { isManaged, rowsOf } from './customers';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';

const WORD = 'Bakery';
const MONTH = new Date().toISOString().slice(0, 7);

const jobs = (simulator: Simulator) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;

/** Who clicked in which campaigns, asked of the service as a person would: e-mail address → names of campaigns. */
async function clicksOf(apiClient: ApiClient, simulators: readonly Simulator[]): Promise<Map<string, string[]>> {
	const clicks = new Map<string, string[]>();
	for (const simulator of simulators) {
		const runs = rowsOf((await apiClient.ask(`${jobs(simulator)}/search`, page({ pageSize: 1000 }))).data);
		const campaigns = new Map(runs.map(({ resourceId, name }) => [String(resourceId), String(name)]));
		for (const [id, name] of campaigns) {
			const people = rowsOf(
				(await apiClient.ask(`${jobs(simulator)}/search-email-clicked/${id}`, page({ pageSize: 1000 }))).data,
			);
			for (const email of new Set(people.map((person) => String(person.email))))
				clicks.set(email, [...(clicks.get(email) ?? []), `${name} (${simulator})`]);
		}
	}
	return clicks;
}

checkExample(6, async ({ service, inbox, folder, run, same }) => {
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const [ready, outOfStep, before, unreadable, half] = customers.map(({ companyResourceId }) => companyResourceId);
	if (!ready || !outOfStep || !before || !unreadable || !half) throw new Error('There are too few customers.');

	const apiClient = new ApiClient(service, service.clients.reseller);
	const repeat = new Map<string, Array<[email: string, campaigns: string[]]>>();
	for (const { companyResourceId: id } of customers) {
		// The clicks of one simulator will be refused for one customer.
		const clicks = await clicksOf(apiClient.for(id), id === half ? SIMULATORS.slice(1) : SIMULATORS);
		repeat.set(
			id,
			[...clicks].filter(([, campaigns]) => campaigns.length >= 2),
		);
	}
	const peopleOf = (id: string): number => repeat.get(id)?.length ?? 0;
	const group = (id: string, count: number) => {
		const { targetGroups, users } = service.state.of(id);
		const [first] = targetGroups;
		if (!first) throw new Error('The customer has no target group.');
		const userResourceIds = users.slice(0, count).map(({ resourceId }) => resourceId);
		targetGroups.push({
			...first,
			resourceId: `repeat-clickers-${id}`,
			name: 'Repeat Clickers',
			userCount: count,
			userResourceIds,
		});
	};
	for (const id of [ready, before, unreadable]) group(id, peopleOf(id));
	group(outOfStep, peopleOf(outOfStep) + 1);
	const [old] = service.state.of(before).enrollments;
	if (old) old.name = `Repeat Clickers ${MONTH}`;
	// Both lists of those who clicked: that of a job, and that of the whole campaign.
	for (const list of ['{searchType}/search/{resourceId}/{instanceGroup}', 'search-email-clicked/{resourceId}'])
		service.fault({
			kind: 'forbidden-company',
			company: half,
			route: `${jobs('phishing')}/${list}`,
			times: Infinity,
		});
	service.fault({
		kind: 'forbidden-company',
		company: unreadable,
		route: 'POST /api/trainings/search',
		times: Infinity,
	});
	service.clearLog();
	const known = service.state.enrollments.length;

	await run({ onlyCustomers: WORD });

	const files = await readdir(folder);
	const [sheet] = await readSheet(join(folder, files[0] ?? ''), { trim: false });
	const [header, ...rows] = sheet?.data ?? [];
	same(
		'one Excel file with the six columns',
		[files.length, header],
		[1, ['Customer', 'Customer ID', 'Person', 'E-Mail', 'Campaigns', 'Which']],
	);
	const listed = rows.map(
		([, id, , email, count, which]) =>
			`${String(id)} ${String(email)} ${String(count)} ${String(which).split(', ').sort().join()}`,
	);
	const expected = [...repeat].flatMap(([id, people]) =>
		people.map(([email, campaigns]) => `${id} ${email} ${campaigns.length} ${[...new Set(campaigns)].sort().join()}`),
	);
	same(
		`${expected.length} people of ${customers.length} customers who clicked in two campaigns or more, with which`,
		listed.sort(),
		expected.sort(),
	);

	const made = service.state.enrollments.filter(({ seeded }) => !seeded);
	const training = service.state.trainings.find(({ trainingName }) => trainingName === 'Phishing Essentials');
	same(
		'one group was enrolled: of the customer whose group is in step, in the training, sent once',
		[
			service.state.enrollments.length - known,
			made.map(({ companyResourceId, name, trainingId, targetGroupResourceIds, sendCount }) => ({
				companyResourceId,
				name,
				trainingId,
				targetGroupResourceIds,
				sendCount,
			})),
		],
		[
			1,
			[
				{
					companyResourceId: ready,
					name: `Repeat Clickers ${MONTH}`,
					trainingId: training?.trainingId,
					targetGroupResourceIds: [`repeat-clickers-${ready}`],
					sendCount: 1,
				},
			],
		],
	);
	same(
		'due in 14 days',
		made.map(({ dueDate }) => Math.round((Date.parse(dueDate ?? '') - Date.now()) / 86_400_000)),
		[14],
	);

	const texts = () => textsOf(inbox.of('chatUrl'));
	const linesOf = (start: string) =>
		texts()
			.filter((text) => text.startsWith(start))
			.flatMap((text) => text.split('\n').slice(1));
	const nameOf = (id: string) =>
		String(customers.find(({ companyResourceId }) => companyResourceId === id)?.companyName);
	const lineOf = (id: string) =>
		linesOf('Repeat clickers\n')
			.find((line) => line.startsWith(`- ${nameOf(id)}: `))
			?.slice(`- ${nameOf(id)}: `.length) ?? '';
	const concerned = customers.filter(({ companyResourceId: id }) => peopleOf(id) > 0);
	same(
		`the chat has a line for each of the ${concerned.length} customers concerned`,
		linesOf('Repeat clickers\n').length,
		concerned.length,
	);
	same('enrolled, out of step, enrolled before', [ready, outOfStep, before].map(lineOf), [
		`${peopleOf(ready)} people, enrolled`,
		`${peopleOf(outOfStep)} people, not enrolled: the group has ${peopleOf(outOfStep) + 1} people, but the file has ${peopleOf(outOfStep)}: make the group equal to the file`,
		`${peopleOf(before)} people, enrolled before: Repeat Clickers ${MONTH}`,
	]);
	same('the one whose trainings are refused is named with 403', /not enrolled: .*403/.test(lineOf(unreadable)), true);
	same(
		'those without the group are told',
		concerned
			.slice(4)
			.filter(({ companyResourceId: id }) => !lineOf(id).endsWith('there is no target group called Repeat Clickers'))
			.length,
		0,
	);
	const problems = linesOf('Repeat clickers: could not be read');
	same(
		'whose clicks could not be read is told, and why',
		[problems.length > 0, problems.every((line) => line.startsWith(`- ${nameOf(half)}: `) && line.includes('403'))],
		[true, true],
	);

	inbox.clear();
	await run({ onlyCustomers: WORD });
	await waitUntil('told again', () => texts().some((text) => text.startsWith('Repeat clickers\n')), IN_ANOTHER_PROCESS);
	same(
		'a second run enrolls nobody again',
		[service.state.enrollments.length - known, lineOf(ready)],
		[1, `${peopleOf(ready)} people, enrolled before: Repeat Clickers ${MONTH}`],
	);
});
