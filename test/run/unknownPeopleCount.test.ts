/**
 * Tests that a hint says why the number of people is missing from the output, if an operation has sent something. Resend has tests of its
 * own.
 */
import type { IDataObject } from 'n8n-workflow';
import { omit } from 'lodash';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { NODE_FOLDERS } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { GROUP_MEMBERS, prepareNewCampaign } from '../cases/launch';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { requireValue } from '../n8n-core/nodeFixture';
import { SIMULATORS } from '../stand-in/profile';
import { useSimulatedDate } from '../setup/testClock';

useSimulatedDate();

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

/** Runs an operation whose output lacks the number of people. Returns the texts of the hints. */
async function getHints(node: string, operation: string, parameters: IDataObject): Promise<string> {
	const { items, hints } = await runCase(fixture, { node, operation }, { parameters });
	expect(items.map(({ json }) => json.peopleCount)).toEqual([null]);
	return hints.map(({ message }) => message).join('\n');
}

const addFault = (route: string) => fixture.standIn.addFault({ route, kind: 'forbidden-company', times: Infinity });

const recordSchema = z.object({ data: z.record(z.unknown()) }).passthrough();

/** Changes the record in the responses of a route. */
const changeRecord = (route: string, change: (record: Record<string, unknown>) => object) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, request) => {
			if (request.route !== route) return envelope;
			const { data, ...otherFields } = recordSchema.parse(envelope);
			return { ...otherFields, data: change(data) };
		},
	});

/** Removes a field from the record in the responses of a route, also from objects inside the record. */
const removeField = (route: string, field: string) =>
	changeRecord(route, (record) => {
		const { reportDetail } = record;
		const details = typeof reportDetail === 'object' ? { reportDetail: omit(reportDetail, field) } : {};
		return omit({ ...record, ...details }, field);
	});

describe.each(SIMULATORS)('%s', (simulator) => {
	const node = NODE_FOLDERS[simulator];
	const recordRoute = `GET /api/${simulator}-simulator/${simulator}-campaign/{resourceId}`;
	const listGroupIds = () => fixture.customer.companyData.targetGroups.map(({ resourceId }) => resourceId);
	const getCampaign = () => requireValue(fixture.customer.companyData.getCampaigns(simulator)[1]);
	const start = async (parameters: IDataObject) =>
		getHints(node, 'start', {
			...fixture.customer.companyParameters,
			campaign: toIdLocator(getCampaign().resourceId),
			...parameters,
		});

	test('Start says why the number of people is unknown', async () => {
		expect(await start({ targetGroups: listGroupIds().slice(0, 2) })).toContain(
			'The number of people is unknown, because a person can be in several of the target groups.',
		);
		addFault(GROUP_MEMBERS);
		expect(await start({ targetGroups: listGroupIds().slice(0, 1) })).toMatch(
			/The number of people is unknown, because it could not be read: .*403/,
		);
		addFault(recordRoute);
		expect(await start({})).toContain(
			'The number of people is unknown, because the platform does not show which target groups the campaign has.',
		);
	});

	const SOME_PEOPLE_REASON = 'because only some people in the target group get the campaign.';

	test.each(['sendOnlyActiveUsers', 'sendRandomlyUsers'])(
		'Start says that only some people get the campaign: %s',
		async (field) => {
			changeRecord(recordRoute, (record) => ({ ...record, [field]: true }));
			expect(await start({ targetGroups: listGroupIds().slice(0, 1) })).toContain(SOME_PEOPLE_REASON);
		},
	);

	test.each([{ sendOnlyActiveUsers: true }, { additionalFieldsJson: '{ "sendRandomlyUsers": true }' }])(
		'Create and Start says that only some people get the campaign: %j',
		async (additionalFields) => {
			const { parameters } = prepareNewCampaign(fixture.customer, simulator);
			const targetGroups = listGroupIds().slice(0, 1);
			expect(await getHints(node, 'createAndStart', { ...parameters, targetGroups, additionalFields })).toContain(
				SOME_PEOPLE_REASON,
			);
		},
	);
});

describe('enrollments', () => {
	const SUMMARY = 'GET /api/training-reports/{enrollmentId}/summary';
	const NOT_SHOWN = 'because the platform does not show how many people are in the enrollment.';

	test('Send says why the number of people is unknown', async () => {
		const { parameters } = findSeededEnrollment(fixture.customer, 1);
		removeField(SUMMARY, 'totalTargetUserCount');
		expect(await getHints('Enrollment', 'send', parameters)).toContain(NOT_SHOWN);
		addFault(SUMMARY);
		const hints = await getHints('Enrollment', 'send', parameters);
		expect(hints).toMatch(/because it could not be read: .*403/);
		expect(hints).not.toContain(NOT_SHOWN);
	});

	test('Create and Send says why the number of people is unknown', async () => {
		removeField('POST /api/enrollments', 'totalTargetUserCount');
		const { companyData, companyParameters } = fixture.customer;
		const parameters = {
			...companyParameters,
			training: toIdLocator(requireValue(companyData.trainings[0]).trainingId),
			name: 'Spring',
			targetGroups: [requireValue(companyData.targetGroups[0]).resourceId],
		};
		expect(await getHints('Enrollment', 'createAndSend', parameters)).toContain(NOT_SHOWN);
	});
});
