import { registerCheck } from './registerCheck';

const DAY_MS = 86_400_000;

registerCheck(4, async ({ environment, service, runActivated, getChatLines, expectEqual }) => {
	const { companies, foreignCompany, trainings } = service.world;
	const [firstId = '', secondId = ''] = companies.map(({ companyResourceId }) => companyResourceId);
	const firstData = service.world.getCompanyData(firstId);
	const secondData = service.world.getCompanyData(secondId);
	const [existingPerson] = firstData.users;
	const existingGroup = secondData.targetGroups[1];
	if (!existingPerson || !existingGroup) throw new Error('There is nobody.');
	const countGroups = ({ resourceId }: typeof existingPerson) =>
		firstData.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(resourceId)).length;
	const groupCountBefore = countGroups(existingPerson);
	const isActive = () => service.world.getNotes(existingPerson.resourceId).isActive ?? true;
	// This person has left and is hired again.
	service.world.addNote(existingPerson.resourceId, { isActive: false });
	const buildHire = (firstName: string, customerId: string, group: string, email = `${firstName}@hires.example`) => ({
		email,
		firstName,
		lastName: 'Hired',
		phoneNumber: '+15551234567',
		customerId,
		group,
	});
	const hires = [
		buildHire('Anna', firstId, 'New Hires'),
		buildHire('Ben', firstId, 'NEW  hires '),
		buildHire('Renamed', firstId, 'New Hires', existingPerson.email.toUpperCase()),
		buildHire('Cleo', secondId, ` ${existingGroup.name.toUpperCase().replaceAll('A', 'Á')} `),
		{ ...buildHire('Dan', secondId, existingGroup.name), phoneNumber: '' },
		buildHire('Eve', foreignCompany.companyResourceId, 'New Hires'),
	];
	const sendHires = async (people: object[]) =>
		runActivated(async () => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ hires: people });
			await fetch(`${environment.n8n.url}/webhook/new-hires`, { method: 'POST', headers, body });
		});
	await sendHires(hires);

	const filterHired = ({ users }: typeof firstData) => users.filter(({ lastName }) => lastName === 'Hired');
	const getFirstNames = (companyData: typeof firstData) => filterHired(companyData).map(({ firstName }) => firstName);
	expectEqual(
		'three people are added, an existing person is changed, and two people are not added',
		[getFirstNames(firstData).sort(), getFirstNames(secondData)],
		[['Anna', 'Ben', 'Renamed'], ['Cleo']],
	);
	expectEqual('a person who had left and is hired again is active', isActive(), true);
	const newGroups = firstData.targetGroups.filter(({ name }) => name === 'New Hires');
	const countHired = (ids: string[] = []) =>
		filterHired(firstData).filter(({ resourceId }) => ids.includes(resourceId)).length;
	expectEqual(
		'the missing group is created once, with exactly its three people',
		[newGroups.length, newGroups[0]?.userResourceIds.length, countHired(newGroups[0]?.userResourceIds)],
		[1, 3, 3],
	);
	const isAdded = filterHired(secondData).every(({ resourceId }) => existingGroup.userResourceIds.includes(resourceId));
	expectEqual('the existing group gets its person, although its name is spelled differently', isAdded, true);
	expectEqual('the existing person stays in all earlier groups', countGroups(existingPerson), groupCountBefore + 1);

	const enrollments = service.world.enrollments.filter(({ isSeeded }) => !isSeeded);
	const trainingId = trainings.find(({ trainingName }) => trainingName === 'Phishing Essentials')?.trainingId;
	expectEqual(
		'there are two enrollments, each with the right customer, group and training, and sent once',
		enrollments.map(({ companyResourceId, trainingId: id, targetGroupResourceIds, sendCount }) => [
			companyResourceId,
			id,
			targetGroupResourceIds,
			sendCount,
		]),
		[
			[firstId, trainingId, [newGroups[0]?.resourceId], 1],
			[secondId, trainingId, [existingGroup.resourceId], 1],
		],
	);
	const days = enrollments.map(({ dueDate }) => Math.floor((Date.parse(dueDate ?? '') - Date.now()) / DAY_MS));
	expectEqual('both enrollments are due in two weeks, at the end of the day', days, [14, 14]);

	const lines = getChatLines('New hires, to be done by');
	expectEqual(
		'the chat has a line for each group, with the ID of the enrollment',
		lines.map((line, index) => line.endsWith(`enrolled, ${enrollments[index]?.resourceId}`)),
		[true, true],
	);
	const failureLines = getChatLines('New hires: not added').join('\n');
	expectEqual(
		'the chat lists the people who were not added, with the reason: no phone number, a customer of another reseller',
		[/- Dan@hires.example: .*Phone Number/.test(failureLines), /- Eve@hires.example: .*403/.test(failureLines)],
		[true, true],
	);

	const findAnna = () => firstData.users.find(({ email }) => email === 'Anna@hires.example');
	const personBefore = structuredClone(findAnna());
	const groupCount = countGroups(findAnna() ?? existingPerson);
	await sendHires([{ email: 'Anna@hires.example', customerId: firstId, group: 'New Hires' }]);
	expectEqual('sending the same person again without names and number deletes nothing', findAnna(), personBefore);
	expectEqual('the person stays in all groups', countGroups(findAnna() ?? existingPerson), groupCount);
});
