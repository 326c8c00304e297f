import { pick } from 'lodash';
import { z } from 'zod';

import type { Workflow } from '../../real-n8n/client';
import { ENTRA_APP, startGraph, type GraphSimulator } from '../../real-n8n/graphSimulator';
import type { Company, TargetUser } from '../../stand-in/seed';
import {
	addPeople,
	buildDirectory,
	buildNewUser,
	getPersonEmail,
	KEPT_COUNT,
	PERSON_COUNT,
	TENANT,
	toGraphUser,
} from './directory';
import { answerApproval, createMailCredential, startMailbox, type Mailbox } from './mailbox';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { registerCheck, waitInN8n, type ExampleContext } from './registerCheck';
import { saveDocument } from './saveDocument';

const TABLE_NAME = 'Security Awareness Directory Sync';
const OTHER_TENANT = 'small.example';
const CLOSED_TENANT = 'closed.example';
const GROUPLESS_TENANT = 'groupless.example';

/** The customers of this check. The others are not in the customer map. */
interface Customers {
	large: Company;
	small: Company;
	closed: Company;
	withoutTenant: Company;
	withBrokenSettings: Company;
	withUnknownGroup: Company;
}

registerCheck(23, async (example) => {
	const { client } = example;
	const graph = await startGraph(() => false);
	const mailbox = await startMailbox();
	const { user, password } = ENTRA_APP;
	const credentials = [
		await client.createCredential('Entra app', 'httpBasicAuth', { user, password }),
		await createMailCredential(client, mailbox),
	];
	try {
		await checkDirectorySync(example, graph, mailbox);
	} finally {
		for (const credential of credentials) await client.deleteCredential(credential);
		await dropCustomerMap(example);
		await graph.close();
		mailbox.close();
	}
});

/** Enters the tenants and the settings of the customers in the customer map. */
async function enterTenants(example: ExampleContext, customers: Customers): Promise<void> {
	const buildRow = (company: Company, directoryId: string, settings = '') => ({
		customerId: company.companyResourceId,
		customer: company.companyName ?? '',
		directoryId,
		settings,
	});
	await enterCustomerMap(example, [
		buildRow(customers.large, TENANT, '{ "limit": "50" }'),
		buildRow(customers.small, OTHER_TENANT),
		buildRow(customers.closed, CLOSED_TENANT),
		buildRow(customers.withoutTenant, ''),
		buildRow(customers.withBrokenSettings, OTHER_TENANT, '{ limit: 50 }'),
		buildRow(customers.withUnknownGroup, GROUPLESS_TENANT, '{ "group": "No Such Group" }'),
	]);
}

/** Finds the HTML part of an email. */
function readHtml(email: string): string {
	const encodedPart = /Content-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(email)?.[1];
	const text = encodedPart === undefined ? Buffer.from(email, 'latin1') : Buffer.from(encodedPart, 'base64');
	return text.toString();
}

const executionSchema = z.object({ id: z.coerce.string() });

async function checkDirectorySync(example: ExampleContext, graph: GraphSimulator, mailbox: Mailbox): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual } = example;
	const names = service.world.companies.map(({ companyName }) => companyName);
	const [large, small, closed, withoutTenant, withBrokenSettings, withUnknownGroup] = service.world.companies.filter(
		({ companyName }) => companyName !== null && names.filter((name) => name?.includes(companyName)).length === 1,
	);
	if (!large || !small || !closed || !withoutTenant || !withBrokenSettings || !withUnknownGroup)
		throw new Error('There are too few customers.');
	await enterTenants(example, { large, small, closed, withoutTenant, withBrokenSettings, withUnknownGroup });
	const users = addPeople(service, large);
	const smallUsers = service.world.getCompanyData(small.companyResourceId).users;
	graph.usersByTenant.set(TENANT, buildDirectory(users));
	graph.usersByTenant.set(OTHER_TENANT, smallUsers.map(toGraphUser));
	graph.usersByTenant.set(
		GROUPLESS_TENANT,
		service.world.getCompanyData(withUnknownGroup.companyResourceId).users.map(toGraphUser),
	);
	graph.addFault({ subject: CLOSED_TENANT, status: 401 });

	const changeWorkflow = (workflow: Workflow): Workflow => {
		const text = JSON.stringify({ ...workflow, settings: { executionOrder: 'v1' } })
			.replaceAll('https://login.microsoftonline.com', `${graph.url}/login`)
			.replaceAll('https://graph.microsoft.com/v1.0', `${graph.url}/v1.0`);
		return JSON.parse(text) as Workflow;
	};
	const listWrites = () =>
		service
			.getRequests()
			.map(({ route = '', path }) => ({ route, path }))
			.filter(({ route }) => /^(PUT|DELETE) |^POST \/api\/target-users$|import/.test(route));
	const group = service.world.getCompanyData(large.companyResourceId).targetGroups[0];
	/** Describes each person of the large customer, so that two states can be compared. */
	const readState = () =>
		users.map((user) =>
			JSON.stringify([
				pick(user, ['email', 'firstName', 'lastName', 'department']),
				service.world.getNotes(user.resourceId).isActive ?? true,
				group?.userResourceIds.includes(user.resourceId),
			]),
		);

	/** Runs the example, and answers its question if there is one. */
	const runSync = async (settings: Record<string, string | boolean>, isApproved?: boolean) => {
		service.clearLog();
		const emailCountBefore = mailbox.readEmails().length;
		const startedAt = Date.now();
		const runPromise = runExample(settings, changeWorkflow);
		if (isApproved !== undefined) {
			await Promise.race([
				waitInN8n('a question', () => mailbox.readEmails().length > emailCountBefore + 1),
				runPromise,
			]);
			const question = mailbox.readEmails()[emailCountBefore + 1];
			if (question === undefined) throw new Error(`There is no question: ${getChatTexts().at(-1)}`);
			expectEqual('nothing is written before the question is answered', listWrites(), []);
			await waitInN8n('the answer is accepted', async () => (await answerApproval(question, isApproved)) === 200);
		}
		const execution = await runPromise;
		const emails = mailbox.readEmails().slice(emailCountBefore);
		return {
			run: executionSchema.parse(execution).id,
			emails,
			lines: (getChatTexts().at(-1) ?? '').split('\n'),
			seconds: Math.round((Date.now() - startedAt) / 1000),
			requestCount: service.getRequests().length,
		};
	};
	const plannedCounts = '35 to deactivate, 10 to reactivate, 50 to change, 20 to add';
	const stateBefore = readState();

	const dryRun = await runSync({ limit: '20' });
	const plan = readHtml(dryRun.emails[0] ?? '');
	await saveDocument('plan.html', plan.slice(plan.indexOf('<div')));
	console.log(
		`    plan of ${PERSON_COUNT} people: ${dryRun.seconds} s, ${dryRun.requestCount} requests to the platform`,
	);
	expectEqual(
		'a dry run sends one email with the plan, asks nobody and writes nothing',
		[dryRun.emails.length, plan.includes('A dry run'), plan.includes(plannedCounts), listWrites()],
		[1, true, true, []],
	);
	expectEqual(
		'the plan names each person with the reason, and no text of the directory becomes HTML',
		[
			plan.split('is not in the list').length - 1,
			plan.split('is inactive in the list').length - 1,
			plan.split('→ Research &amp; &lt;Development&gt;').length - 1,
			plan.split('is not on the platform').length - 1,
			plan.includes('nophone1'),
		],
		[30, 5, 50, 20, false],
	);
	const stops = dryRun.lines.filter((line) => line.startsWith('- stopped'));
	expectEqual(
		'the message has the figures of each customer, and what stops or waits with the reason',
		[
			dryRun.lines[0],
			stops.map((line) => line.split(': ').slice(0, 2).join(': ')),
			stops[0]?.endsWith(': AADSTS7000215: Invalid client secret.'),
			stops[1]?.includes('directoryId is missing'),
			stops[2]?.includes('settings in the Data Table Security Awareness Customers must be JSON'),
			stops[3]?.includes(`has 'No Such Group', but no target group at '${withUnknownGroup.companyName}' has that name`),
			dryRun.lines.find((line) => line.includes(large.companyName ?? '') && line.includes('kept')),
			dryRun.lines.filter((line) => line.startsWith('- waits')).length,
		],
		[
			`Directory sync, a dry run, run ${dryRun.run}: 35 would be deactivated, 10 would be reactivated, 50 would be changed, 20 would be added. 4 customers stopped.`,
			[closed, withoutTenant, withBrokenSettings, withUnknownGroup].map(
				({ companyName }) => `- stopped: ${companyName}`,
			),
			true,
			true,
			true,
			true,
			`- ${large.companyName}: 20 to add, 50 to change, 10 to reactivate, 35 to deactivate, ${PERSON_COUNT - KEPT_COUNT - 95} unchanged, ${KEPT_COUNT} kept by an identity provider, 28 left out, 2 wait`,
			2,
		],
	);

	expectEqual(
		'a dry run is not remembered as the last good run',
		(await readTableRows(TABLE_NAME)).filter(({ run }) => run === 'last'),
		[],
	);

	const firstRun = await runSync({ dryRun: false, group: group?.name ?? '' }, true);
	console.log(`    plan and 115 changes: ${firstRun.seconds} s, ${firstRun.requestCount} requests to the platform`);
	const writes = listWrites();
	expectEqual(
		'after the approval, each change is made once, and nobody whom SCIM keeps is written',
		[
			writes.filter(({ route }) => route.startsWith('PUT')).length,
			new Set(writes.filter(({ route }) => route.startsWith('PUT')).map(({ path }) => path)).size,
			writes.filter(({ route }) => route.startsWith('POST')).length,
			writes.filter(({ path }) => /person-[1-4]?\d?\d$/.test(path)).length,
			firstRun.lines.slice(0, 2),
		],
		[
			95,
			95,
			20,
			0,
			[
				`Directory sync, run ${firstRun.run}: 35 deactivated, 10 reactivated, 50 changed, 20 added, 0 failed. 4 customers stopped.`,
				`To undo it, enter ${firstRun.run} as undoRun.`,
			],
		],
	);
	const isActive = (user: TargetUser | undefined) => user && (service.world.getNotes(user.resourceId).isActive ?? true);
	const newUsers = users.slice(PERSON_COUNT);
	expectEqual(
		'the platform is as in the directory: leavers, disabled accounts, returned people, departments, new people in their group',
		[
			users.slice(3000, 3030).filter(isActive).length,
			users.slice(2000, 2005).filter(isActive).length,
			users.slice(600, 610).filter(isActive).length,
			users.filter(({ department }) => department === 'Research & <Development>').length,
			newUsers.filter((user) => isActive(user) && group?.userResourceIds.includes(user.resourceId)).length,
			newUsers.filter(({ resourceId }) => service.world.getNotes(resourceId).managerEmail === getPersonEmail(700))
				.length,
		],
		[0, 0, 10, 50, 20, 20],
	);
	expectEqual(
		'the people whom SCIM keeps are as before',
		readState().slice(0, KEPT_COUNT),
		stateBefore.slice(0, KEPT_COUNT),
	);
	const rows = (await readTableRows(TABLE_NAME)).filter(({ run }) => run === firstRun.run);
	expectEqual(
		'the table has each change, and the values of before',
		[rows.length, rows.filter(({ state }) => state === 'done').length, rows.filter(({ before }) => !before).length],
		[115, 115, 0],
	);

	const secondRun = await runSync({ dryRun: false });
	expectEqual(
		'a second run changes nothing and sends no email',
		[
			listWrites(),
			secondRun.emails.length,
			secondRun.lines[0]?.includes(
				'0 would be deactivated, 0 would be reactivated, 0 would be changed, 0 would be added.',
			),
		],
		[[], 0, true],
	);

	const stoppedRun = await runSync({ dryRun: false, onlyCustomers: closed.companyName ?? '' });
	const email = readHtml(stoppedRun.emails[0] ?? '');
	expectEqual(
		'if all customers are stopped, an email says so and why, and nobody is asked',
		[
			stoppedRun.emails.length,
			email.includes('Every customer was stopped'),
			email.includes(`<b>${closed.companyName}</b>: AADSTS7000215: Invalid client secret.</li>`),
		],
		[1, true, true],
	);

	const directory = graph.usersByTenant.get(TENANT) ?? [];
	const listStops = (lines: string[]) =>
		lines.filter((line) => line.startsWith(`- stopped: ${large.companyName}: `)).join();
	graph.usersByTenant.set(TENANT, directory.slice(0, directory.length / 2));
	const cutRun = await runSync({ dryRun: false });
	graph.usersByTenant.set(TENANT, []);
	const emptyRun = await runSync({ dryRun: false });
	graph.usersByTenant.set(TENANT, directory);
	graph.addFault({ subject: TENANT, status: 429 });
	const failedRun = await runSync({ dryRun: false });
	graph.clearFaults();
	expectEqual(
		'a directory that is cut to half, empty or not readable stops the customer',
		[
			/has \d+ people, but had \d+ last time, and only 50 may be missing/.test(listStops(cutRun.lines)),
			listStops(emptyRun.lines).includes('may be missing') || listStops(emptyRun.lines).includes('empty list'),
			/429|too many requests/i.test(listStops(failedRun.lines)),
			[cutRun, emptyRun, failedRun].flatMap(({ emails }) => emails),
			listWrites(),
		],
		[true, true, true, [], []],
	);

	graph.usersByTenant.set(OTHER_TENANT, [...smallUsers.map(toGraphUser), buildNewUser('one', OTHER_TENANT)]);
	const declinedRun = await runSync({ dryRun: false, onlyCustomers: small.companyName ?? '' }, false);
	expectEqual(
		'after the plan is declined, nothing is changed',
		[listWrites(), declinedRun.lines[1]],
		[[], 'The plan was declined: nothing was changed.'],
	);
	mailbox.refuseNextEmails(1);
	const unsentRun = await runSync({ dryRun: false, onlyCustomers: small.companyName ?? '' });
	expectEqual(
		'if the plan cannot be sent, nobody is asked and nothing is changed',
		[unsentRun.emails.length, listWrites(), unsentRun.lines[1]?.startsWith('The plan could not be sent by email')],
		[0, [], true],
	);

	const undoRun = await runSync({ dryRun: false, undoRun: firstRun.run, onlyCustomers: large.companyName ?? '' }, true);
	console.log(`    undo of 115 changes: ${undoRun.seconds} s, ${undoRun.requestCount} requests to the platform`);
	expectEqual(
		'undoing the run restores everybody, and deactivates the people whom it added',
		[
			readState()
				.slice(0, PERSON_COUNT)
				.filter((person, index) => person !== stateBefore[index]).length,
			newUsers.filter(isActive).length,
			readHtml(undoRun.emails[0] ?? '').includes(`undo run ${firstRun.run}`),
		],
		[0, 0, true],
	);
	const secondUndo = await runSync({ dryRun: false, undoRun: firstRun.run, onlyCustomers: large.companyName ?? '' });
	expectEqual('undoing it again changes nothing', [listWrites(), secondUndo.emails.length], [[], 0]);

	await dropCustomerMap(example);
	const runWithoutMap = await runSync({});
	expectEqual(
		'without the customer map, nothing is compared, and the chat message says what to do',
		[
			runWithoutMap.lines[0]?.includes('Run example 27, or enter one.'),
			runWithoutMap.emails,
			runWithoutMap.requestCount,
		],
		[true, [], 0],
	);
}
