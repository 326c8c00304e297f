/** Tests of values that a model leaves empty: they count as not given, because n8n requires a value for every $fromAI field without a default. */
import { lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { findAgentRight } from '../../nodes/core/run/agentRights';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { toIdLocator, cases } from '../cases';
import { fillByAgent } from '../cases/filledIn';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';

const g = createOperationFixture('deployed');

const ask = async (node: string, parameters: IDataObject, toolArguments: IDataObject = {}) =>
	runTool({ node: g.getNode(node), parameters, credential: g.agentCredential, toolArguments });

/** Returns the requests since the log was cleared. */
const sent = () => g.requests.map(({ route, path, body }) => ({ route, path, body }));

const BLANK = "={{ $fromAI('blank', 'What to use', 'string') }}";
const WORDS = ['', 'null', 'N/A', '  ', 'NULL', 'n/a', 'undefined', '[""]', '{}'];

/** Returns true for a restriction: without it a writing operation would do more, so it must not be empty. */
const isRestriction = ({ rejectsEmptyExpression: mustHaveValue, property: { type } }: Field<unknown>) =>
	mustHaveValue === true && !['string', 'multiOptions'].includes(type);

/** Creates the value of a field that the model fills in with the blank word. */
function createBlank({ property: { type }, innerFields: inner }: Field<unknown>): unknown {
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: BLANK };
	if (type !== 'fixedCollection') return BLANK;
	const parts = Object.entries(inner ?? {}).map(([name, part]) => [name, createBlank(part)]);
	return { rows: [Object.fromEntries(parts)] };
}

/** Adds the blank word to the parameters, in every optional field without a value. */
function addBlanks(form: FieldMap, parameters: IDataObject, canLeaveOut: boolean): IDataObject {
	const filled: Record<string, unknown> = { ...parameters };
	for (const [name, field] of Object.entries(form)) {
		const { property, innerFields: inner = {}, show } = field;
		const isTop = property.type !== 'collection';
		const missing = isTop
			? [[name, field] as const]
			: Object.entries(inner).filter(([part]) => !(part in Object(parameters[name])));
		const blanks = missing
			.filter(([, part]) => canLeaveOut || !isRestriction(part))
			.map(([part, partField]) => [part, createBlank(partField)]);
		if (!isTop) filled[name] = { ...Object(parameters[name]), ...Object.fromEntries(blanks) };
		else if (!(name in parameters) && !property.required && !show && property.type === 'string') filled[name] = BLANK;
	}
	return z.record(z.unknown()).parse(filled) as IDataObject;
}

const changing = cases.filter(({ node, operation }) =>
	['change', 'email'].includes(findAgentRight(lowerFirst(node), operation)),
);

test.each(changing)('$node: $operation sends the same, whatever the model leaves empty', async (each) => {
	const { fields: form, endpoint } = g.getOperation(each.node, each.operation);
	const runWith = async (fill: (parameters: IDataObject) => IDataObject, blank = '') => {
		g.standIn.reset();
		const { parameters } = await each.prepare(g.customer, true);
		g.standIn.clearLog();
		await ask(each.node, { operation: each.operation, ...fill(parameters) }, { blank });
		return sent();
	};
	const usual = await runWith((parameters) => parameters);
	const word = WORDS[changing.indexOf(each) % WORDS.length];
	const isPut = endpoint?.startsWith('PUT ') ?? false;
	expect(await runWith((parameters) => addBlanks(form, parameters, isPut), word)).toEqual(usual);
});

/** Finds a person whose record has a value in every field. */
function findCompletePerson() {
	const user = g.customer.companyData.users.find(({ department, lastName }) => department && lastName);
	if (!user) throw new Error('Nobody has all details');
	return user;
}

const recordOf = async (id: string) => z.record(z.unknown()).parse(await g.customer.fetchData(`GET /api/target-users/${id}`));

/** Updates the person with a tool. @param additionalFields the values from the model */
async function update(additionalFields: IDataObject) {
	const { resourceId } = findCompletePerson();
	const before = await recordOf(resourceId);
	const { parameters, toolArguments } = fillByAgent({ additionalFields });
	await ask(
		'TargetUser',
		{ operation: 'update', ...g.customer.companyParameters, targetUser: toIdLocator(resourceId), ...parameters },
		toolArguments,
	);
	return { before, after: await recordOf(resourceId) };
}

test('a model that only changes the phone number erases nothing else', async () => {
	const { before, after } = await update({
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
		.parse((await recordOf(findCompletePerson().resourceId)).customFieldValues);
	const rows = [{ customField: toIdLocator(String(field?.resourceId)), value: '' }];
	const { before, after } = await update({ phoneNumber: '+49 30 777', customFields: { rows } });
	expect(after).toEqual({ ...before, phoneNumber: '+49 30 777' });
});

test.each(['""', '[""]', '{}', '[]', 'null', '"N/A"', '{ "deep": [null, ""] }'])(
	'fields in JSON that have no value are not sent: %s',
	async (value) => {
		const more = `{ "priority": "High", "targetGroupResourceIds": ${value}, "department": ${value} }`;
		const { before, after } = await update({ additionalFieldsJson: more });
		expect(after).toEqual({ ...before, priority: 'High' });
	},
);

test('a person may be called Null', async () => {
	const { after } = await update({ lastName: 'Null' });
	expect(after.lastName).toBe('Null');
});

test.each(['', ' ', 'null', 'N/A'])('a required field must have a value: "%s"', async (word) => {
	const { companyParameters: scoped } = g.customer;
	g.standIn.clearLog();
	const parameters = { operation: 'create', ...scoped, email: BLANK, phoneNumber: '+49 30 1' };
	await expect(ask('TargetUser', parameters, { blank: word })).rejects.toThrow(/^'Email' must/);
	const unnamed = { operation: 'get', ...scoped, targetUser: { __rl: true, mode: 'id', value: BLANK } };
	await expect(ask('TargetUser', unnamed, { blank: word })).rejects.toThrow(/^'Target User' must/);
	expect(g.requests).toEqual([]);
});

test('an empty restriction is refused, because the operation would do more without it', async () => {
	const run = cases.find(({ node, operation }) => node === 'PhishingCampaign' && operation === 'create');
	const { parameters = {} } = (await run?.prepare(g.customer, true)) ?? {};
	g.standIn.clearLog();
	const additionalFields = { ...Object(parameters.additionalFields), sendOnlyActiveUsers: BLANK };
	const creation = ask('PhishingCampaign', { operation: 'create', ...parameters, additionalFields }, { blank: '' });
	await expect(creation).rejects.toThrow("'Only Active Users' in 'Additional Fields' must have a value");
	expect(g.requests).toEqual([]);
});

test('an empty restriction is refused also where nothing else is added', async () => {
	const run = cases.find(({ node, operation }) => node === 'Enrollment' && operation === 'createAndSend');
	const { parameters = {} } = (await run?.prepare(g.customer, true)) ?? {};
	g.standIn.clearLog();
	const form = { operation: 'createAndSend', ...parameters, additionalFields: { markedAsTest: BLANK } };
	await expect(ask('Enrollment', form, { blank: '' })).rejects.toThrow(
		"'Mark as Test' in 'Additional Fields' must have",
	);
	expect(g.requests).toEqual([]);
});

describe('Start Campaign, which without groups reaches all groups of the campaign', () => {
	const START = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
	const start = async (targetGroups: unknown, groups?: unknown) => {
		const run = cases.find(({ node, operation }) => node === 'PhishingCampaign' && operation === 'start');
		const { parameters } = (await run?.prepare(g.customer, true)) ?? {};
		g.standIn.clearLog();
		await ask(
			'PhishingCampaign',
			{ operation: 'start', ...parameters, targetGroups } as IDataObject,
			{ groups } as IDataObject,
		);
	};
	const refusal = "'Target Group Names or IDs' must have a value, but has none";

	test.each([...WORDS, '[]'])('a model that leaves them empty starts nothing: %j', async (word) => {
		const byModel = "={{ $fromAI('groups', 'Who gets it', 'string') }}";
		await expect(start(byModel, word)).rejects.toThrow(refusal);
		await expect(start([byModel], word)).rejects.toThrow(refusal);
		expect(g.requests).toEqual([]);
	});

	test('so does a list without entries', async () => {
		await expect(start("={{ $fromAI('groups', 'Who gets it', 'string') }}", ' ,N/A')).rejects.toThrow(refusal);
		await expect(start("={{ $fromAI('groups', 'Who gets it', 'json') }}", [])).rejects.toThrow(refusal);
		expect(g.requests).toEqual([]);
	});

	test('the person who makes the tool may leave the field empty', async () => {
		await start([]);
		expect(g.standIn.getRequests(START)).toHaveLength(1);
	});
});

test('a search with empty filters finds all', async () => {
	const filters = {
		searchText: 'N/A',
		fieldFilters: { rows: [{ field: 'TrainingName', operator: 'contains', value: '' }] },
	};
	const form = { ...g.customer.companyParameters, returnAll: true };
	const all = await ask('Training', { operation: 'getMany', ...form });
	const { parameters, toolArguments } = fillByAgent({ filters });
	expect(await ask('Training', { operation: 'getMany', ...form, ...parameters }, toolArguments)).toEqual(all);
});

test('a node that is no tool still clears a value that is left empty', async () => {
	const { resourceId } = findCompletePerson();
	const parameters = { ...g.customer.companyParameters, targetUser: toIdLocator(resourceId), additionalFields: { department: '' } };
	await runNode({
		node: g.getNode('TargetUser'),
		parameters: { operation: 'update', ...parameters },
		credential: g.credential,
	});
	expect((await recordOf(resourceId)).department).toBe('');
});
