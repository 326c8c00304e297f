/** Tests that values which a model leaves empty count as not entered. n8n requires a value for every $fromAI field without a default. */
import { lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { findAgentRight } from '../../nodes/core/run/agentRights';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { toIdLocator, cases } from '../cases';
import { fillByAgent } from '../cases/fillParameters';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';

const fixture = createOperationFixture('deployed');

const runForAgent = async (node: string, parameters: IDataObject, toolArguments: IDataObject = {}) =>
	runTool({ node: fixture.getNode(node), parameters, credential: fixture.agentCredential, toolArguments });

/** Lists the requests since the log was cleared. */
const listRequests = () => fixture.requests.map(({ route, path, body }) => ({ route, path, body }));

const BLANK_BY_AGENT = "={{ $fromAI('blank', 'What to use', 'string') }}";
const BLANK_WORDS = ['', 'null', 'N/A', '  ', 'NULL', 'n/a', 'undefined', '[""]', '{}'];

/** Returns true if the field must not be empty, because a write would affect more records without it. */
const isRestriction = ({ rejectsEmptyExpression, property: { type } }: Field<unknown>) =>
	rejectsEmptyExpression === true && !['string', 'multiOptions'].includes(type);

/** Creates the value of a field for which the model enters a blank word. */
function createBlank({ property: { type }, innerFields = {} }: Field<unknown>): unknown {
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: BLANK_BY_AGENT };
	if (type !== 'fixedCollection') return BLANK_BY_AGENT;
	const parts = Object.entries(innerFields).map(([name, part]) => [name, createBlank(part)]);
	return { rows: [Object.fromEntries(parts)] };
}

/** Fills every optional field that has no value with an expression for which the model enters a blank word. */
function addBlanks(fields: FieldMap, parameters: IDataObject, canLeaveOutRestrictions: boolean): IDataObject {
	const filledParameters: Record<string, unknown> = { ...parameters };
	for (const [name, field] of Object.entries(fields)) {
		const { property, innerFields = {}, show } = field;
		const isSingleField = property.type !== 'collection';
		const missingFields = isSingleField
			? [[name, field] as const]
			: Object.entries(innerFields).filter(([part]) => !(part in Object(parameters[name])));
		const blanks = missingFields
			.filter(([, part]) => canLeaveOutRestrictions || !isRestriction(part))
			.map(([part, partField]) => [part, createBlank(partField)]);
		if (!isSingleField) filledParameters[name] = { ...Object(parameters[name]), ...Object.fromEntries(blanks) };
		else if (!(name in parameters) && !property.required && !show && property.type === 'string')
			filledParameters[name] = BLANK_BY_AGENT;
	}
	return z.record(z.unknown()).parse(filledParameters) as IDataObject;
}

const writeCases = cases.filter(({ node, operation }) =>
	['change', 'email'].includes(findAgentRight(lowerFirst(node), operation)),
);

test.each(writeCases)(
	'$node: $operation sends the same requests if the model leaves optional fields empty',
	async (testCase) => {
		const { fields, endpoint } = fixture.getOperation(testCase.node, testCase.operation);
		const runWith = async (fill: (parameters: IDataObject) => IDataObject, blank = '') => {
			fixture.standIn.reset();
			const { parameters } = await testCase.prepare(fixture.customer, true);
			fixture.standIn.clearLog();
			await runForAgent(testCase.node, { operation: testCase.operation, ...fill(parameters) }, { blank });
			return listRequests();
		};
		const requestsWithoutBlanks = await runWith((parameters) => parameters);
		const word = BLANK_WORDS[writeCases.indexOf(testCase) % BLANK_WORDS.length];
		const isPut = endpoint?.startsWith('PUT ') ?? false;
		expect(await runWith((parameters) => addBlanks(fields, parameters, isPut), word)).toEqual(requestsWithoutBlanks);
	},
);

/** Finds a person whose record has a value in every field. */
function findCompletePerson() {
	const user = fixture.customer.companyData.users.find(({ department, lastName }) => department && lastName);
	if (!user) throw new Error('Nobody has all details');
	return user;
}

const fetchPerson = async (id: string) =>
	z.record(z.unknown()).parse(await fixture.customer.fetchData(`GET /api/target-users/${id}`));

/**
 * Updates a person with a tool.
 * @param additionalFields the values that the model enters
 * @returns the person's record before and after the update
 */
async function updateByAgent(additionalFields: IDataObject) {
	const { resourceId } = findCompletePerson();
	const before = await fetchPerson(resourceId);
	const { parameters, toolArguments } = fillByAgent({ additionalFields });
	await runForAgent(
		'TargetUser',
		{ operation: 'update', ...fixture.customer.companyParameters, targetUser: toIdLocator(resourceId), ...parameters },
		toolArguments,
	);
	return { before, after: await fetchPerson(resourceId) };
}

test('a model that only changes the phone number erases nothing else', async () => {
	const { before, after } = await updateByAgent({
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
	expect(after).toEqual({ ...before, phoneNumber: '+49 30 777' });
});

test('a row whose value is empty changes nothing', async () => {
	const [field] = z
		.array(z.record(z.unknown()))
		.parse((await fetchPerson(findCompletePerson().resourceId)).customFieldValues);
	const rows = [{ customField: toIdLocator(String(field?.resourceId)), value: '' }];
	const { before, after } = await updateByAgent({ phoneNumber: '+49 30 777', customFields: { rows } });
	expect(after).toEqual({ ...before, phoneNumber: '+49 30 777' });
});

test.each(['""', '[""]', '{}', '[]', 'null', '"N/A"', '{ "deep": [null, ""] }'])(
	'fields in JSON without a value are not sent: %s',
	async (value) => {
		const more = `{ "priority": "High", "targetGroupResourceIds": ${value}, "department": ${value} }`;
		const { before, after } = await updateByAgent({ additionalFieldsJson: more });
		expect(after).toEqual({ ...before, priority: 'High' });
	},
);

test('a person may be called Null', async () => {
	const { after } = await updateByAgent({ lastName: 'Null' });
	expect(after.lastName).toBe('Null');
});

test.each(['', ' ', 'null', 'N/A'])('a required field must have a value: "%s"', async (word) => {
	const { companyParameters } = fixture.customer;
	fixture.standIn.clearLog();
	const parameters = { operation: 'create', ...companyParameters, email: BLANK_BY_AGENT, phoneNumber: '+49 30 1' };
	await expect(runForAgent('TargetUser', parameters, { blank: word })).rejects.toThrow(/^'Email' must/);
	const parametersWithoutName = {
		operation: 'get',
		...companyParameters,
		targetUser: { __rl: true, mode: 'id', value: BLANK_BY_AGENT },
	};
	await expect(runForAgent('TargetUser', parametersWithoutName, { blank: word })).rejects.toThrow(
		/^'Target User' must/,
	);
	expect(fixture.requests).toEqual([]);
});

test('an empty restriction is rejected, because the operation would affect more without it', async () => {
	const testCase = cases.find(({ node, operation }) => node === 'PhishingCampaign' && operation === 'create');
	const { parameters = {} } = (await testCase?.prepare(fixture.customer, true)) ?? {};
	fixture.standIn.clearLog();
	const additionalFields = { ...Object(parameters.additionalFields), sendOnlyActiveUsers: BLANK_BY_AGENT };
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
	const form = { operation: 'createAndSend', ...parameters, additionalFields: { markedAsTest: BLANK_BY_AGENT } };
	await expect(runForAgent('Enrollment', form, { blank: '' })).rejects.toThrow(
		"'Mark as Test' in 'Additional Fields' must have",
	);
	expect(fixture.requests).toEqual([]);
});

describe('Start Campaign, which without groups sends to all groups of the campaign', () => {
	const START = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
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

	test.each([...BLANK_WORDS, '[]'])('a model that leaves the groups empty starts nothing: %j', async (word) => {
		const agentExpression = "={{ $fromAI('groups', 'Who gets it', 'string') }}";
		await expect(startByAgent(agentExpression, word)).rejects.toThrow(NO_VALUE_MESSAGE);
		await expect(startByAgent([agentExpression], word)).rejects.toThrow(NO_VALUE_MESSAGE);
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
		expect(fixture.standIn.getRequests(START)).toHaveLength(1);
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
