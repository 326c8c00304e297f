import { checkExample, textsOf } from './check';

const DAY = 86_400_000;

checkExample(4, async ({ stage, service, inbox, runActive, same }) => {
	const [first, second, third] = service.state.companies;
	if (!first || !second || !third) throw new Error('There are too few companies.');
	const groupOf = (id: string, index: number) => service.state.of(id).targetGroups[index];
	const [everybody, team] = [groupOf(first.companyResourceId, 0), groupOf(second.companyResourceId, 1)];
	const hires = [
		{ name: 'Anna', customerId: first.companyResourceId, group: everybody?.name },
		{ name: 'Ben', customerId: first.companyResourceId, group: everybody?.name },
		{ name: 'Cleo', customerId: second.companyResourceId, group: team?.name },
		{ name: 'Dan', customerId: third.companyResourceId, group: 'No Such Group' },
		{ name: 'Eve', customerId: service.state.foreign.companyResourceId, group: 'Everybody' },
	];
	const known = service.state.enrollments.length;
	await runActive(async () => {
		const body = JSON.stringify({ hires });
		await fetch(`${stage.n8n.url}/webhook/new-hires`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body,
		});
	});

	const made = service.state.enrollments.filter(({ seeded }) => !seeded);
	same(
		'two enrollments more, though five hires were sent: one for each group that there is',
		[service.state.enrollments.length - known, made.length],
		[2, 2],
	);
	const shown = made.map(({ companyResourceId, trainingId, targetGroupResourceIds, sendCount }) => ({
		companyResourceId,
		trainingId,
		targetGroupResourceIds,
		sendCount,
	}));
	const enrolled = (companyResourceId: string, groupId = '') => ({
		companyResourceId,
		trainingId: service.state.trainings[0]?.trainingId,
		targetGroupResourceIds: [groupId],
		sendCount: 1,
	});
	same('each of its customer, its group and the training, and sent once', shown, [
		enrolled(first.companyResourceId, everybody?.resourceId),
		enrolled(second.companyResourceId, team?.resourceId),
	]);
	const days = made.map(({ dueDate }) => Math.floor((Date.parse(dueDate ?? '') - Date.now()) / DAY));
	same('due two weeks on, at the end of the day', days, [14, 14]);

	const texts = textsOf(inbox.of('chatUrl'));
	const report = texts.find((text) => text.startsWith('New hires, to be done by')) ?? '';
	const lines = report.split('\n').slice(1);
	same(
		'the chat has a line for each of four groups, two of them enrolled, with the IDs',
		[lines.length, made.filter(({ resourceId }) => report.includes(`: enrolled, ${resourceId}`)).length],
		[4, 2],
	);
	same(
		'two not: no such group, and a customer of somebody else',
		lines
			.filter((line) => line.includes('NOT enrolled'))
			.map((line) => line.startsWith('- No Such Group') || line.includes(service.state.foreign.companyResourceId)),
		[true, true],
	);
	same(
		'and why the last one failed',
		texts.filter((text) => text.includes("'Find the Target Group' failed") && text.includes('403')).length,
		1,
	);
});
