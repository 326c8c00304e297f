import { registerCheck } from './check';

const DAY = 86_400_000;

registerCheck(4, async ({ environment: stage, service, runActivated: runActive, getChatLines: linesOf, expectEqual: same }) => {
	const { companies, foreignCompany: foreign, trainings } = service.state;
	const [first = '', second = ''] = companies.map(({ companyResourceId }) => companyResourceId);
	const holdings = service.state.getCompanyData(first);
	const others = service.state.getCompanyData(second);
	const [known] = holdings.users;
	const team = others.targetGroups[1];
	if (!known || !team) throw new Error('There is nobody.');
	const countGroups = ({ resourceId }: typeof known) =>
		holdings.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(resourceId)).length;
	const before = countGroups(known);
	const isActive = () => service.state.getNotes(known.resourceId).isActive ?? true;
	// People who had left are hired again.
	service.state.addNote(known.resourceId, { isActive: false });
	const buildHire = (firstName: string, customerId: string, group: string, email = `${firstName}@hires.example`) => ({
		email,
		firstName,
		lastName: 'Hired',
		phoneNumber: '+15551234567',
		customerId,
		group,
	});
	const hires = [
		buildHire('Anna', first, 'New Hires'),
		buildHire('Ben', first, 'NEW  hires '),
		buildHire('Renamed', first, 'New Hires', known.email.toUpperCase()),
		buildHire('Cleo', second, ` ${team.name.toUpperCase().replaceAll('A', 'Á')} `),
		{ ...buildHire('Dan', second, team.name), phoneNumber: '' },
		buildHire('Eve', foreign.companyResourceId, 'New Hires'),
	];
	const sendHires = async (sent: object[]) =>
		runActive(async () => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ hires: sent });
			await fetch(`${stage.n8n.url}/webhook/new-hires`, { method: 'POST', headers, body });
		});
	await sendHires(hires);

	const filterHired = ({ users }: typeof holdings) => users.filter(({ lastName }) => lastName === 'Hired');
	const getFirstNames = (of: typeof holdings) => filterHired(of).map(({ firstName }) => firstName);
	same(
		'three people are new, one was there and is changed, two could not be added',
		[getFirstNames(holdings).sort(), getFirstNames(others)],
		[['Anna', 'Ben', 'Renamed'], ['Cleo']],
	);
	same('who had left and is hired again is active', isActive(), true);
	const made = holdings.targetGroups.filter(({ name }) => name === 'New Hires');
	const isIn = (ids: string[] = []) => filterHired(holdings).filter(({ resourceId }) => ids.includes(resourceId)).length;
	same(
		'the missing group is made, once, with its three people and no other',
		[made.length, made[0]?.userResourceIds.length, isIn(made[0]?.userResourceIds)],
		[1, 3, 3],
	);
	const isAdded = filterHired(others).every(({ resourceId }) => team.userResourceIds.includes(resourceId));
	same('the one that was there got its person, although it was written otherwise', isAdded, true);
	same('who was there is still in the groups of before', countGroups(known), before + 1);

	const enrollments = service.state.enrollments.filter(({ isSeeded: seeded }) => !seeded);
	const trainingId = trainings.find(({ trainingName }) => trainingName === 'Phishing Essentials')?.trainingId;
	same(
		'two enrollments: each of its customer, its group and the training, and sent once',
		enrollments.map((each) => [each.companyResourceId, each.trainingId, each.targetGroupResourceIds, each.sendCount]),
		[
			[first, trainingId, [made[0]?.resourceId], 1],
			[second, trainingId, [team.resourceId], 1],
		],
	);
	const days = enrollments.map(({ dueDate }) => Math.floor((Date.parse(dueDate ?? '') - Date.now()) / DAY));
	same('due two weeks on, at the end of the day', days, [14, 14]);

	const lines = linesOf('New hires, to be done by');
	same(
		'the chat has a line for each group, with the ID of the enrollment',
		lines.map((line, index) => line.endsWith(`enrolled, ${enrollments[index]?.resourceId}`)),
		[true, true],
	);
	const failed = linesOf('New hires: not added').join('\n');
	same(
		'and who was not added, and why: no phone number, a customer of somebody else',
		[/- Dan@hires.example: .*Phone Number/.test(failed), /- Eve@hires.example: .*403/.test(failed)],
		[true, true],
	);

	const findAnna = () => holdings.users.find(({ email }) => email === 'Anna@hires.example');
	const asBefore = structuredClone(findAnna());
	const inGroups = countGroups(findAnna() ?? known);
	await sendHires([{ email: 'Anna@hires.example', customerId: first, group: 'New Hires' }]);
	same('the same person once more, without names and number: nothing is taken away', findAnna(), asBefore);
	same('and the groups stay', countGroups(findAnna() ?? known), inGroups);
});
