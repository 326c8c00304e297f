import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import readSheet from 'read-excel-file/node';

import { checkExample, textsOf } from './check';

checkExample(7, async ({ service, inbox, folder, run, same }) => {
	const { companies } = service.state;
	const reasons = ({
		licenceExpired,
		licenseEndDate,
		isNumberOfUsersLimited,
		targetUserCount,
		numberOfUsers,
	}: (typeof companies)[number]) => [
		...(licenceExpired || Date.parse(licenseEndDate) < Date.now() ? [`expired ${licenseEndDate.slice(0, 10)}`] : []),
		...(isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers)
			? [`${targetUserCount - Number(numberOfUsers)} users too many`]
			: []),
	];
	const expected = companies.flatMap((company) => {
		const why = reasons(company).join(', ');
		return why === ''
			? []
			: [
					{
						id: company.companyResourceId,
						name: company.companyName,
						why,
						users: company.targetUserCount,
						allowed: Number(company.numberOfUsers),
					},
				];
	});

	await run();

	const [file = '', ...more] = await readdir(folder);
	const [sheet] = await readSheet(join(folder, file), { trim: false });
	const [header, ...rows] = sheet?.data ?? [];
	same(
		'one Excel file with the seven columns',
		[more.length, header],
		[0, ['Customer', 'Customer ID', 'Why', 'License', 'Ends', 'Users', 'Allowed']],
	);
	const byId = (one: { id: unknown }, other: { id: unknown }) => (String(one.id) < String(other.id) ? -1 : 1);
	const listed = rows.map(([name, id, why, , , users, allowed]) => ({ id, name, why, users, allowed }));
	const both = expected.filter(({ why }) => why.includes(','));
	same(
		`${expected.length} of ${companies.length} customers, ${both.length} of them for both reasons, each once and with its figures`,
		[...listed].sort(byId),
		[...expected].sort(byId),
	);
	const texts = () => textsOf(inbox.of('chatUrl'));
	const lines = texts()[0]?.split('\n') ?? [];
	same(
		'one message: how many, and a line for each',
		[texts().length, lines[0], lines.slice(1).sort()],
		[
			1,
			`License watch: ${expected.length} customers to call`,
			expected.map(({ name, why }) => `- ${name}: ${why}`).sort(),
		],
	);

	await rm(join(folder, file));
	inbox.clear();
	service.fault({
		kind: 'status-500',
		route: 'POST /api/companies/search',
		times: Infinity,
		after: Math.ceil(service.state.tree.length / 100),
	});
	const failure = await run().then(
		() => 'it went on',
		(error: unknown) => String(error),
	);
	same(
		'if one of the lists fails, the run fails by name, and nothing is sent or written',
		[failure.includes('Over the Limit'), texts(), await readdir(folder)],
		[true, [], []],
	);
	service.clearFaults();

	for (const company of companies)
		Object.assign(company, {
			licenceExpired: false,
			licenseEndDate: '2099-12-31T00:00:00.000Z',
			isNumberOfUsersLimited: false,
		});
	await run();
	same(
		'when nobody has to be called, the chat hears it and no file is written',
		[texts(), await readdir(folder)],
		[['License watch: no license has run out, and nobody is over the limit.'], []],
	);
});
