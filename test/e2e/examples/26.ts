import { range } from 'lodash';

import { SIEM_AUTHORIZATION, startSiem, type SiemSimulator } from '../../real-n8n/siemSimulator';
import type { CompanyData } from '../../stand-in/companyData';
import type { Company } from '../../stand-in/seed';
import { registerCheck, type ExampleContext } from './registerCheck';
import { addAuditEntry, addEvents, addPersonEvent, getData, prepareCustomers } from './siemEvents';
import { readCefEvent, readHecEvent, readOcsfEvent } from './siemFormats';

const NAME_FRAGMENT = 'Lighthouse';
const TABLE_NAME = 'Security Awareness SIEM';
const AUDIT_ROUTE = 'POST /api/audit-logs/search';
const CUSTOMER_COUNT = 4;
const EVENTS_PER_CUSTOMER = 2_500;
const BATCH_SIZE = 250;
const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
/** Signs that each format must escape. */
const DIFFICULT_TEXT = 'A|B \\ C=D "quoted", {{ 1 + 1 }}\nsecond line act=x ü 💡';

registerCheck(26, async (example) => {
	const siem = await startSiem();
	const credential = await example.client.createCredential('SIEM account', 'httpHeaderAuth', {
		name: 'Authorization',
		value: SIEM_AUTHORIZATION,
	});
	try {
		const customers = prepareCustomers(example, NAME_FRAGMENT);
		await checkStream(example, siem, customers);
		await checkLateEvents(example, siem, customers);
		await checkLostAnswer(example, siem, customers);
		await checkUnreadableCustomer(example, siem, customers);
		await checkFormats(example, siem, customers);
	} finally {
		await example.client.deleteCredential(credential);
		await siem.close();
	}
});

const buildSettings = (siem: SiemSimulator, settings: object = {}) => ({
	siemUrl: siem.url,
	onlyCustomers: NAME_FRAGMENT,
	batchSize: BATCH_SIZE,
	...settings,
});

/** Returns what identifies an event that the collector has taken, without the event's ID. */
const describeEvent = ({ event, sourcetype }: ReturnType<typeof readHecEvent>): string =>
	sourcetype.endsWith('audit')
		? `${String(event.logDate)} ${String(event.resourceId)}`
		: `${String(event.ActionTime)} ${String(event.targetUserResourceId)}`;

/** Returns what identifies each event that the stand-in has for a customer, in the order of time. */
const listExpectedEvents = ({ auditEntries, personEvents }: CompanyData): string[] =>
	[
		...auditEntries.map(({ logDate, resourceId }) => `${logDate} ${resourceId}`),
		...personEvents.map(({ actionTime, targetUserResourceId }) => `${actionTime} ${targetUserResourceId}`),
	].sort();

/** Returns the events of a customer that the collector has taken, in the order of their arrival. */
const listTakenEvents = ({ batches }: SiemSimulator, customer: Company | undefined) =>
	batches
		.flatMap(({ lines }) => lines.map(readHecEvent))
		.filter(({ event }) => event.companyResourceId === customer?.companyResourceId);

const getLastChatLines = ({ getChatTexts }: ExampleContext): string[] => getChatTexts().at(-1)?.split('\n') ?? [];

/** 10,000 events, while the collector is busy, then down, then busy once more. */
async function checkStream(example: ExampleContext, siem: SiemSimulator, customers: Company[]): Promise<void> {
	const { runExample, expectEqual, expectNone, getChatTexts, readTableRows } = example;
	const startTime = Date.now() - 20 * HOUR_MS;
	for (const [index, customer] of customers.entries())
		addEvents(getData(example, customer), `entry-${index}`, EVENTS_PER_CUSTOMER, startTime);
	const countTaken = () => siem.batches.reduce((sum, { lines }) => sum + lines.length, 0);
	const settings = buildSettings(siem);

	siem.setAnswers((number) => (number < 7 ? 'take' : 'busy'));
	const startedAt = Date.now();
	await runExample(settings);
	console.log(`    first run: ${Math.round((Date.now() - startedAt) / 1000)} s`);
	expectEqual(
		'the collector has taken seven batches, and then one request per customer',
		[countTaken(), siem.countRequests()],
		[7 * BATCH_SIZE, 7 + CUSTOMER_COUNT],
	);
	const [title, ...lines] = getLastChatLines(example);
	expectEqual(
		'the chat message says that something waits',
		title,
		'SIEM stream: not everything was sent. The next run tries again.',
	);
	const waitingCounts = customers.map(({ companyName }) => {
		const line = lines.find((text) => text.startsWith(`- ${companyName}: `)) ?? '';
		expectEqual(
			`${companyName}: the chat message has the answer of the collector`,
			line.replace(/\d+ events/, 'n events'),
			`- ${companyName}: n events wait: the collector answered 503: {"text":"Server is busy","code":9}`,
		);
		return Number(/: (\d+) events/.exec(line)?.[1]);
	});
	expectEqual(
		'the chat message has the number of waiting events of each customer',
		waitingCounts.sort((first, second) => first - second),
		[EVENTS_PER_CUSTOMER - 7 * BATCH_SIZE, ...range(1, CUSTOMER_COUNT).map(() => EVENTS_PER_CUSTOMER)],
	);

	await siem.goDown();
	await runExample(settings);
	await siem.comeBack();
	expectEqual('while the collector is down, it takes nothing', countTaken(), 7 * BATCH_SIZE);
	expectEqual(
		'the chat message says for each customer that the collector could not be reached',
		getLastChatLines(example).filter((line) => line.includes('the collector could not be reached')).length,
		CUSTOMER_COUNT,
	);

	siem.setAnswers((number) => (number === 3 ? 'redirect' : 'take'));
	await runExample(settings);
	expectEqual('a redirect isn’t an acceptance, and only one customer waits', getLastChatLines(example).length, 2);

	siem.setAnswers(() => 'take');
	const chatCount = getChatTexts().length;
	await runExample(settings);
	expectEqual('a run without a problem sends no chat message', getChatTexts().length, chatCount);
	expectEqual('the collector has 10,000 events', countTaken(), CUSTOMER_COUNT * EVENTS_PER_CUSTOMER);
	for (const customer of customers)
		expectEqual(
			`${customer.companyName}: each event has arrived once, in the order of time`,
			listTakenEvents(siem, customer).map(describeEvent),
			listExpectedEvents(getData(example, customer)),
		);
	const ids = siem.batches.flatMap(({ lines: batchLines }) => batchLines.map((line) => readHecEvent(line).event.id));
	expectEqual('each event has its own ID', new Set(ids).size, ids.length);
	expectNone(
		'no batch is larger than the setting',
		siem.batches.filter((batch) => batch.lines.length > BATCH_SIZE).map((batch) => batch.lines.length),
	);
	expectEqual(
		'the table has the number of events of each customer, and no reason',
		(await readTableRows(TABLE_NAME)).map(({ sentCount, why }) => [sentCount, why]),
		customers.map(() => [String(EVENTS_PER_CUSTOMER), '']),
	);

	const requestCount = siem.countRequests();
	await runExample(settings);
	expectEqual('another run sends nothing', siem.countRequests(), requestCount);

	siem.setAnswers(() => 'take');
	addEvents(getData(example, customers[0]), 'more', 2, Date.now() - SECOND_MS * 5);
	await runExample({ ...settings, minutes: 0 });
	expectEqual(
		'without time left, nothing is sent, and the chat message says so',
		[siem.countRequests(), getLastChatLines(example).slice(1)],
		[requestCount, [`- ${customers[0]?.companyName}: 2 events wait: no time was left`]],
	);
	await runExample(settings);
	expectEqual('the next run sends them', siem.countRequests(), requestCount + 1);
	await runExample({ ...settings, onlyCustomers: 'There is no such name' });
	expectEqual('the chat message says if no customer has the name', getLastChatLines(example).slice(1), [
		"- No customer has a name with 'There is no such name'",
	]);
}

/** Events that the platform lists late, within the days that the workflow looks back. */
async function checkLateEvents(example: ExampleContext, siem: SiemSimulator, customers: Company[]): Promise<void> {
	const { runExample, expectEqual } = example;
	const [customer] = customers;
	siem.batches.length = 0;
	addAuditEntry(getData(example, customer), 'late-1', Date.now() - 30 * HOUR_MS);
	addPersonEvent(getData(example, customer), 1, Date.now() - 31 * HOUR_MS);
	await runExample(buildSettings(siem));
	await runExample(buildSettings(siem));
	expectEqual('late events are sent once', listTakenEvents(siem, customer).length, 2);
}

/** The collector takes a batch, but n8n doesn't get the answer. */
async function checkLostAnswer(example: ExampleContext, siem: SiemSimulator, customers: Company[]): Promise<void> {
	const { runExample, expectEqual } = example;
	const [, customer] = customers;
	siem.batches.length = 0;
	addEvents(getData(example, customer), 'lost', 3, Date.now() - 10 * SECOND_MS);
	siem.setAnswers((number) => (number === 0 ? 'lose answer' : 'take'));
	await runExample(buildSettings(siem));
	await runExample(buildSettings(siem));
	const ids = listTakenEvents(siem, customer).map(({ event }) => event.id);
	expectEqual('events whose answer was lost come twice with the same ID', [ids.length, new Set(ids).size], [6, 3]);
}

/** The audit log of one customer can't be read for a time. */
async function checkUnreadableCustomer(
	example: ExampleContext,
	siem: SiemSimulator,
	customers: Company[],
): Promise<void> {
	const { service, runExample, expectEqual, readTableRows } = example;
	const [, , customer] = customers;
	siem.batches.length = 0;
	siem.setAnswers(() => 'take');
	const readUntil = async () =>
		(await readTableRows(TABLE_NAME)).find(({ customerId }) => customerId === customer?.companyResourceId)?.until;
	const untilBefore = await readUntil();
	addEvents(getData(example, customer), 'unread', 2, Date.now() - 10 * SECOND_MS);
	service.addFault({
		kind: 'forbidden-company',
		companyId: customer?.companyResourceId ?? '',
		times: 1,
		route: AUDIT_ROUTE,
	});
	await runExample(buildSettings(siem));
	expectEqual(
		'the actions of people are sent, and the start of the next run stays',
		[listTakenEvents(siem, customer).map(({ sourcetype }) => sourcetype), await readUntil()],
		[['security-awareness:person'], untilBefore],
	);
	const [, line = ''] = getLastChatLines(example);
	expectEqual(
		'the chat message names the customer and the reason',
		[line.startsWith(`- ${customer?.companyName}: could not be read`), line.includes('403')],
		[true, true],
	);
	await runExample(buildSettings(siem));
	expectEqual(
		'the next run sends the entry of the audit log',
		listTakenEvents(siem, customer).map(({ sourcetype }) => sourcetype),
		['security-awareness:person', 'security-awareness:audit'],
	);
}

/** CEF and OCSF, with texts that must be escaped. */
async function checkFormats(example: ExampleContext, siem: SiemSimulator, customers: Company[]): Promise<void> {
	const { runExample, expectEqual, dropTable } = example;
	const customer = customers[3];
	const companyData = getData(example, customer);
	companyData.auditEntries.length = 0;
	companyData.personEvents.length = 0;
	const startTime = Date.now() - HOUR_MS;
	addAuditEntry(companyData, 'difficult', startTime, { auditDescription: DIFFICULT_TEXT, entityName: DIFFICULT_TEXT });
	addAuditEntry(companyData, 'deleted', startTime + 1000, { operation: 'DeleteMany', ip: '2001:db8::7' });
	addAuditEntry(companyData, 'signed-in', startTime + 2000, { operation: 'Login' });
	addAuditEntry(companyData, 'other', startTime + 3000, { operation: 'Approved', entityName: '', userName: '' });
	addPersonEvent(companyData, 0, startTime + 4000, { actionType: 'DataSubmitted', name: DIFFICULT_TEXT });
	addPersonEvent(companyData, 1, startTime + 5000, { actionType: 'TrainingCompleted' });
	const runWithFormat = async (format: string) => {
		siem.batches.length = 0;
		await dropTable(TABLE_NAME);
		await runExample(buildSettings(siem, { format, onlyCustomers: customer?.companyName }));
		return siem.batches.flatMap(({ lines, contentType }) => lines.map((line) => ({ line, contentType })));
	};

	const jsonEvents = (await runWithFormat('json')).map(({ line }) => readHecEvent(line));
	expectEqual('JSON: the texts are unchanged', jsonEvents[0]?.event.auditDescription, DIFFICULT_TEXT);

	const cefBatch = await runWithFormat('cef');
	const cefEvents = cefBatch.map(({ line }) => readCefEvent(line));
	expectEqual(
		'CEF: the content type is text',
		[...new Set(cefBatch.map(({ contentType }) => contentType))],
		['text/plain'],
	);
	expectEqual(
		'CEF: the header has the action and the severity',
		cefEvents.map(({ header }) => [header[2], header[4], header[6]]),
		[
			['Audit Log', 'Update', '2'],
			['Audit Log', 'DeleteMany', '4'],
			['Audit Log', 'Login', '2'],
			['Audit Log', 'Approved', '2'],
			['People', 'DataSubmitted', '8'],
			['People', 'TrainingCompleted', '2'],
		],
	);
	expectEqual(
		'CEF: the texts can be read back, and a line break in the header is a space',
		[cefEvents[0]?.extension.msg, cefEvents[0]?.extension.cs1, cefEvents[4]?.extension.cs1, cefEvents[0]?.header[5]],
		[DIFFICULT_TEXT, DIFFICULT_TEXT, DIFFICULT_TEXT, `admin@example.com: ${DIFFICULT_TEXT.replace('\n', ' ')}`],
	);
	expectEqual(
		'CEF: the customer, the addresses and the times are right, and empty fields are missing',
		cefEvents.map(({ extension: { cs2, cs3, src, c6a2, suser, cs1Label, rt } }) => [
			cs2,
			cs3,
			src ?? c6a2 ?? '',
			suser ?? '',
			cs1Label ?? '',
			Number(rt) - startTime,
		]),
		[
			['198.51.100.8', 'admin@example.com', 'Object', 0],
			['2001:db8::7', 'admin@example.com', 'Object', 1000],
			['198.51.100.8', 'admin@example.com', 'Object', 2000],
			['198.51.100.8', '', '', 3000],
			['', '', 'Campaign or Training', 4000],
			['', '', 'Campaign or Training', 5000],
		].map((values) => [customer?.companyName, customer?.companyResourceId, ...values]),
	);

	const ocsfEvents = (await runWithFormat('ocsf')).map(({ line }) => readOcsfEvent(line));
	expectEqual(
		'OCSF: each event has the right class, activity and severity',
		ocsfEvents.map((event) => [event.class_uid, event.activity_id, event.activity_name, event.severity_id]),
		[
			[3004, 3, 'Update', 1],
			[3004, 4, 'Delete', 2],
			[3002, 1, 'Logon', 1],
			[3004, 99, 'Approved', 1],
			[2004, 1, 'Create', 4],
			[2004, 1, 'Create', 1],
		],
	);
	expectEqual(
		'OCSF: the texts, the times and the customer are right',
		ocsfEvents.map(({ message, time, metadata }) => [
			message.includes(DIFFICULT_TEXT),
			time - startTime,
			metadata.tenant_uid,
		]),
		[true, false, false, false, true, false].map((isDifficult, index) => [
			isDifficult,
			index * 1000,
			customer?.companyResourceId,
		]),
	);
	expectEqual(
		'an unknown format sends nothing, and the chat message says so',
		[await runWithFormat('xml'), getLastChatLines(example).slice(1)],
		[[], [`- ${customer?.companyName}: 6 events wait: the setting format must be json, cef or ocsf`]],
	);
	const readIds = (events: Array<string | undefined>) => events.join(' ');
	expectEqual(
		'the three formats have the same IDs',
		[
			readIds(cefEvents.map(({ extension }) => extension.externalId)),
			readIds(ocsfEvents.map(({ metadata }) => metadata.uid)),
		],
		[readIds(jsonEvents.map(({ event }) => event.id)), readIds(jsonEvents.map(({ event }) => event.id))],
	);
}
