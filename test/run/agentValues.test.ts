/**
 * Tests that blank values from an AI model count as not entered. n8n requires the model to enter a value for every $fromAI field without a
 * default, so the model enters an empty text or a word such as "N/A".
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, cases } from '../cases';
import { fillByAgent } from '../cases/fillParameters';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';
import { parseBody } from '../n8n-core/nodeFixture';
import { parseNodeParameters } from '../n8n-core/schemas';
import { addBlankValues, BLANK_WORDS } from '../operations/agentTexts';
import { findCase } from '../operations/records';
import { parseOperationKey } from '../contract/operationKeys';

const fixture = createOperationFixture('deployed');

const runForAgent = async (node: string, parameters: IDataObject, toolArguments: IDataObject = {}) =>
	runTool({ node: fixture.getNode(node), parameters, credential: fixture.agentCredential, toolArguments });

/** Lists the requests that were sent since the log was cleared. */
const listRequests = () => fixture.requests.map(({ route, path, body }) => ({ route, path, body }));

/** An expression whose value the model enters as the argument `blank`. */
const BLANK_AGENT_EXPRESSION = "={{ $fromAI('blank', 'What to use', 'string') }}";
/**
 * One operation for each kind of field with which the model can change something: texts, choices, rows, several values, dates and numbers.
 * everyOperation.test.ts checks how the blank texts are parsed for every operation.
 */
const TESTED_WRITES: Array<[node: string, key: string]> = [
	['TargetUser', 'create'],
	['TargetUser', 'update'],
	['Enrollment', 'createAndSend'],
	['PhishingCampaign', 'create'],
	['ExecutiveReport', 'scheduledReport.create'],
	['Company', 'update'],
];

test.each(TESTED_WRITES.map(([node, key], index) => [node, key, BLANK_WORDS[index] ?? '']))(
	'%s: %s sends the same requests if the model leaves optional fields empty: "%s"',
	async (node, key, blankWord) => {
		const operation = fixture.getOperation(node, key);
		const runAndListRequests = async (fillParameters: (parameters: IDataObject) => Record<string, unknown>) => {
			fixture.standIn.reset();
			const { parameters } = await findCase(node, key).prepare(fixture.customer, true);
			fixture.standIn.clearLog();
			await runForAgent(node, parseNodeParameters({ ...parseOperationKey(node, key), ...fillParameters(parameters) }), {
				blank: blankWord,
			});
			return listRequests();
		};
		const requestsWithoutBlanks = await runAndListRequests((parameters) => parameters);
		expect(
			await runAndListRequests((parameters) => addBlankValues(operation, parameters, BLANK_AGENT_EXPRESSION)),
		).toEqual(requestsWithoutBlanks);
	},
);

/** Finds a person whose record has a department and a last name, which an update could erase. */
function findCompletePerson() {
	const user = fixture.customer.companyData.users.find(({ department, lastName }) => department && lastName);
	if (!user) throw new Error('Nobody has all details');
	return user;
}

const fetchPerson = async (id: string) =>
	z.record(z.unknown()).parse(await fixture.customer.fetchData(`GET /api/target-users/${id}`));

/**
 * Updates a person's record with an AI tool.
 * @param additionalFields the values that the model enters
 * @returns the record before and after the update
 */
async function updateByAgent(additionalFields: IDataObject) {
	const { resourceId } = findCompletePerson();
	const personBefore = await fetchPerson(resourceId);
	const { parameters, toolArguments } = fillByAgent({ additionalFields });
	await runForAgent(
		'TargetUser',
		{ operation: 'update', ...fixture.customer.companyParameters, targetUser: toIdLocator(resourceId), ...parameters },
		toolArguments,
	);
	return { personBefore, personAfter: await fetchPerson(resourceId) };
}

test('a model that only changes the phone number erases nothing else', async () => {
	const { personBefore, personAfter } = await updateByAgent({
		phoneNumber: '+49 30 777',
		firstName: '',
		lastName: 'null',
		department: 'N/A',
		managerEmail: '   ',
		email: '',
		targetGroupResourceIds: '[]',
		isActive: '',
		timeZoneId: toIdLocator('null'),
		customFields: { rows: [{ customField: toIdLocator(''), value: '' }] },
	});
	expect(personAfter).toEqual({ ...personBefore, phoneNumber: '+49 30 777' });
});

test('a row whose value is empty changes nothing', async () => {
	const [field] = z
		.array(z.record(z.unknown()))
		.parse((await fetchPerson(findCompletePerson().resourceId)).customFieldValues);
	const rows = [{ customField: toIdLocator(String(field?.resourceId)), value: '' }];
	const { personBefore, personAfter } = await updateByAgent({ phoneNumber: '+49 30 777', customFields: { rows } });
	expect(personAfter).toEqual({ ...personBefore, phoneNumber: '+49 30 777' });
});

test.each(['""', '[""]', '{}', '[]', 'null', '"N/A"', '{ "deep": [null, ""] }'])(
	'fields in JSON without a value are not sent: %s',
	async (value) => {
		const additionalFieldsJson = `{ "priority": "High", "targetGroupResourceIds": ${value}, "department": ${value} }`;
		const { personBefore, personAfter } = await updateByAgent({ additionalFieldsJson });
		expect(personAfter).toEqual({ ...personBefore, priority: 'High' });
	},
);

test('blank values inside a list of a field in JSON are not sent', async () => {
	const tags = [{ name: 'VIP', note: 'null', owners: ['N/A', 'Ada'] }, { name: '' }];
	const { parameters, toolArguments } = fillByAgent({
		email: 'vip@harbour.example',
		phoneNumber: '+49 30 1',
		additionalFields: { additionalFieldsJson: JSON.stringify({ tags }) },
	});
	const createParameters = { operation: 'create', ...fixture.customer.companyParameters, ...parameters };
	await runForAgent('TargetUser', createParameters, toolArguments);
	const creation = fixture.standIn.getRequests('POST /api/target-users').at(-1);
	expect(parseBody(creation).tags).toEqual([{ name: 'VIP', owners: ['Ada'] }]);
});

test('a person may be called Null', async () => {
	const { personAfter } = await updateByAgent({ lastName: 'Null' });
	expect(personAfter.lastName).toBe('Null');
});

test.each(['', ' ', 'null', 'N/A'])('a required field must have a value: "%s"', async (blankWord) => {
	const { companyParameters } = fixture.customer;
	fixture.standIn.clearLog();
	const parameters = {
		operation: 'create',
		...companyParameters,
		email: BLANK_AGENT_EXPRESSION,
		phoneNumber: '+49 30 1',
	};
	await expect(runForAgent('TargetUser', parameters, { blank: blankWord })).rejects.toThrow(/^'Email' must/);
	const parametersWithBlankId = {
		operation: 'get',
		...companyParameters,
		targetUser: { __rl: true, mode: 'id', value: BLANK_AGENT_EXPRESSION },
	};
	await expect(runForAgent('TargetUser', parametersWithBlankId, { blank: blankWord })).rejects.toThrow(
		/^'Target User' must/,
	);
	expect(fixture.requests).toEqual([]);
});

test('an empty restriction is rejected, because the operation would affect more without it', async () => {
	const testCase = cases.find(({ node, operation }) => node === 'PhishingCampaign' && operation === 'create');
	const { parameters = {} } = (await testCase?.prepare(fixture.customer, true)) ?? {};
	fixture.standIn.clearLog();
	const additionalFields = { ...Object(parameters.additionalFields), sendOnlyActiveUsers: BLANK_AGENT_EXPRESSION };
	const createRun = runForAgent(
		'PhishingCampaign',
		{ operation: 'create', ...parameters, additionalFields },
		{ blank: '' },
	);
	await expect(createRun).rejects.toThrow("'Only Active Users' in 'Additional Fields' must have a value");
	expect(fixture.requests).toEqual([]);
});

test('an empty restriction is rejected even if it is the only additional field', async () => {
	const testCase = cases.find(({ node, operation }) => node === 'Enrollment' && operation === 'createAndSend');
	const { parameters = {} } = (await testCase?.prepare(fixture.customer, true)) ?? {};
	fixture.standIn.clearLog();
	const form = {
		operation: 'createAndSend',
		...parameters,
		additionalFields: { markedAsTest: BLANK_AGENT_EXPRESSION },
	};
	await expect(runForAgent('Enrollment', form, { blank: '' })).rejects.toThrow(
		"'Mark as Test' in 'Additional Fields' must have",
	);
	expect(fixture.requests).toEqual([]);
});

describe('Start Campaign, which without groups sends to all groups of the campaign', () => {
	const START_ENDPOINT = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
	const startByAgent = async (targetGroups: unknown, groups?: unknown) => {
		const testCase = cases.find(({ node, operation }) => node === 'PhishingCampaign' && operation === 'start');
		const { parameters } = (await testCase?.prepare(fixture.customer, true)) ?? {};
		fixture.standIn.clearLog();
		await runForAgent(
			'PhishingCampaign',
			{ operation: 'start', ...parameters, targetGroups } as IDataObject,
			{ groups } as IDataObject,
		);
	};
	const NO_VALUE_MESSAGE = "'Target Group Names or IDs' must have a value, but has none";

	test.each([...BLANK_WORDS, '[]'])('a model that leaves the groups empty starts nothing: %j', async (blankWord) => {
		const agentExpression = "={{ $fromAI('groups', 'Who gets it', 'string') }}";
		await expect(startByAgent(agentExpression, blankWord)).rejects.toThrow(NO_VALUE_MESSAGE);
		await expect(startByAgent([agentExpression], blankWord)).rejects.toThrow(NO_VALUE_MESSAGE);
		expect(fixture.requests).toEqual([]);
	});

	test('a model that enters a list without entries starts nothing', async () => {
		await expect(startByAgent("={{ $fromAI('groups', 'Who gets it', 'string') }}", ' ,N/A')).rejects.toThrow(
			NO_VALUE_MESSAGE,
		);
		await expect(startByAgent("={{ $fromAI('groups', 'Who gets it', 'json') }}", [])).rejects.toThrow(NO_VALUE_MESSAGE);
		expect(fixture.requests).toEqual([]);
	});

	test('the author of the tool may leave the field empty', async () => {
		await startByAgent([]);
		expect(fixture.standIn.getRequests(START_ENDPOINT)).toHaveLength(1);
	});
});

test('a search with empty filters finds all records', async () => {
	const filters = {
		searchText: 'N/A',
		fieldFilters: { rows: [{ field: 'TrainingName', operator: 'contains', value: '' }] },
	};
	const form = { ...fixture.customer.companyParameters, returnAll: true };
	const allTrainings = await runForAgent('Training', { operation: 'getMany', ...form });
	const { parameters, toolArguments } = fillByAgent({ filters });
	expect(await runForAgent('Training', { operation: 'getMany', ...form, ...parameters }, toolArguments)).toEqual(
		allTrainings,
	);
});

test('a node in a workflow clears a value that is left empty', async () => {
	const { resourceId } = findCompletePerson();
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		additionalFields: { department: '' },
	};
	await runNode({
		node: fixture.getNode('TargetUser'),
		parameters: { operation: 'update', ...parameters },
		credential: fixture.credential,
	});
	expect((await fetchPerson(resourceId)).department).toBe('');
});
