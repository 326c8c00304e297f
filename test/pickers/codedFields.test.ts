/** Coded fields: the name first, then the values of that field; and the form of rows that were saved before there was a list. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { byId } from '../cases/customerFixture';
import { callListSearch, runTool } from '../n8n-core';
import { bodyOf, failureOf, nodeFixture, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
const listed = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: value });

const creating = (...rows: IDataObject[]): IDataObject => {
	const [group] = b.service.state.targetGroups;
	const [training] = b.service.state.trainings;
	return {
		operation: 'create',
		companyScope: 'one',
		company: byId(the(group).companyResourceId),
		training: byId(the(training).trainingId),
		name: 'New hires',
		targetGroups: [the(group).resourceId],
		additionalFields: { codedFields: { rows } },
	};
};
/** The list of a field in a row, as the editor opens it. */
const open = async (method: string, field: string, rows: IDataObject[], filter?: string) =>
	(
		await callListSearch({
			...{ node: new SecurityAwarenessEnrollment(), credential: b.credential(), method },
			parameters: creating(...rows),
			path: `parameters.additionalFields.codedFields.rows[${rows.length - 1}].${field}`,
			...(filter ? { filter } : {}),
		})
	).results.map(({ name, value }) => [name, value]);
const sent = () => bodyOf(b.service.requests('POST /api/enrollments').at(-1));

test('the names that the service lists, and a search in them', async () => {
	const names = [
		['DeliveryType', 'DeliveryType'],
		['ReminderFrequency', 'ReminderFrequency'],
		['EnrollmentStatus', 'EnrollmentStatus'],
	];
	expect(await open('searchCodedFields', 'fieldName', [{}])).toEqual(names);
	expect(await open('searchCodedFields', 'fieldName', [{}], 'remind')).toEqual([names[1]]);
});

const DELIVERY = [
	['Email', 'DeliveryType:1'],
	['Microsoft Teams', 'DeliveryType:2'],
	['Slack', 'DeliveryType:3'],
];

test.each<[string, unknown]>([
	['chosen from the list', listed('DeliveryType')],
	['typed', byId('DeliveryType')],
	['typed as the request has it', byId('deliveryTypeId')],
	['saved as text', 'deliveryTypeId'],
])("the values are those of this row's field: %s", async (_how, fieldName) => {
	const rows = [{ fieldName: listed('EnrollmentStatus'), value: listed('') }, { fieldName }] as IDataObject[];
	expect(await open('searchCodedValues', 'value', rows)).toEqual(DELIVERY);
	expect(await open('searchCodedValues', 'value', rows, 'TEAMS')).toEqual([DELIVERY[1]]);
});

test.each<[string, unknown]>([
	['none', ''],
	['unknown', byId('sendType')],
	['an expression', byId('={{ $json.field }}')],
])('all values, with the names of their fields, where the name is %s', async (_how, fieldName) => {
	const all = await open('searchCodedValues', 'value', [{ fieldName }] as IDataObject[]);
	expect(all).toContainEqual(['DeliveryType: Slack', 'DeliveryType:3']);
	expect(all).toContainEqual(['EnrollmentStatus: Draft', 'EnrollmentStatus:1']);
});

test('what is chosen is sent as a number, under a name in the style of the request', async () => {
	await b.run(
		SecurityAwarenessEnrollment,
		creating(
			{ fieldName: listed('DeliveryType'), value: listed('DeliveryType:2') },
			{ fieldName: byId('reminderFrequencyId'), value: listed('ReminderFrequency:3') },
			{ fieldName: byId('EnrollmentStatus'), value: byId('4') },
		),
	);
	expect(sent()).toMatchObject({ deliveryType: 2, reminderFrequencyId: 3, EnrollmentStatus: 4 });
});

test('rows as they were saved before: a text, and a value of whatever field', async () => {
	for (const typeVersion of [1, 1.1]) {
		await b.run(
			SecurityAwarenessEnrollment,
			creating(
				{ fieldName: 'DeliveryTypeId', value: listed('ReminderFrequency:2') },
				{ fieldName: 'other', value: '5' },
				{ fieldName: 'third', value: byId('DeliveryType: Email:7') },
			),
			{ typeVersion },
		);
		expect(sent()).toMatchObject({ DeliveryTypeId: 2, other: 5, third: 7 });
	}
});

test('a value that was chosen for another field is refused before anything is sent', async () => {
	const rows = [{ fieldName: listed('DeliveryType'), value: listed('EnrollmentStatus:1') }];
	const error = await failureOf(b.run(SecurityAwarenessEnrollment, creating(...rows)));
	expect(error.message).toBe(
		"'Coded Fields' in 'Additional Fields' has a value of 'EnrollmentStatus' for the field 'DeliveryType'",
	);
	expect(error.description).toContain('choose one of its values');
	expect(b.asked).toEqual([]);
});

test('an AI agent gives both', async () => {
	const fromAi = (key: string) => `={{ $fromAI('${key}', 'What to use', 'string') }}`;
	await runTool({
		node: new SecurityAwarenessEnrollment(),
		credential: b.credential(),
		parameters: creating({ fieldName: byId(fromAi('field')), value: byId(fromAi('value')) }),
		toolArguments: { field: 'deliveryType', value: '3' },
	});
	expect(sent()).toMatchObject({ deliveryType: 3 });
});
