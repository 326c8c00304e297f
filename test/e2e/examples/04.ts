import { checkExample } from './check';

const DAY = 86_400_000;

checkExample(4, async ({ stage, service, runActive, texts, linesOf, same }) => {
	const { companies, foreign, trainings } = service.state;
	const [first = '', second = '', third = ''] = companies.map(({ companyResourceId }) => companyResourceId);
	const everybody = service.state.of(first).targetGroups[0];
	const team = service.state.of(second).targetGroups[1];
	const hires = [
		{ name: 'Anna', customerId: first, group: everybody?.name },
		{ name: 'Ben', customerId: first, group: everybody?.name },
		{ name: 'Cleo', customerId: second, group: team?.name },
		{ name: 'Dan', customerId: third, group: 'No Such Group' },
		{ name: 'Eve', customerId: foreign.companyResourceId, group: 'Everybody' },
	];
	const known = service.state.enrollments.length;
	await runActive(async () => {
		const headers = { 'content-type': 'application/json' };
		await fetch(`${stage.n8n.url}/webhook/new-hires`, { method: 'POST', headers, body: JSON.stringify({ hires }) });
	});

	const made = service.state.enrollments.filter(({ seeded }) => !seeded);
	same(
		'two enrollments more, though five hires were sent: one for each group that there is',
		[service.state.enrollments.length - known, made.length],
		[2, 2],
	);
	const trainingId = trainings[0]?.trainingId;
	same(
		'each of its customer, its group and the training, and sent once',
		made.map((each) => [each.companyResourceId, each.trainingId, each.targetGroupResourceIds, each.sendCount]),
		[
			[first, trainingId, [everybody?.resourceId], 1],
			[second, trainingId, [team?.resourceId], 1],
		],
	);
	const days = made.map(({ dueDate }) => Math.floor((Date.parse(dueDate ?? '') - Date.now()) / DAY));
	same('due two weeks on, at the end of the day', days, [14, 14]);

	const lines = linesOf('New hires, to be done by');
	same(
		'the chat has a line for each of four groups, two of them enrolled, with the IDs',
		[lines.length, made.filter(({ resourceId }) => lines.join('\n').includes(`: enrolled, ${resourceId}`)).length],
		[4, 2],
	);
	same(
		'two not: no such group, and a customer of somebody else',
		lines
			.filter((line) => line.includes('NOT enrolled'))
			.map((line) => line.startsWith('- No Such Group') || line.includes(foreign.companyResourceId)),
		[true, true],
	);
	const failed = texts().filter((text) => text.includes("'Find the Target Group' failed") && text.includes('403'));
	same('and why the last one failed', failed.length, 1);
});
