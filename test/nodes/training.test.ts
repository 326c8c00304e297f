/** Tests the filters of trainings that the node itself applies: compliance and target audience. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { runNode } from '../n8n-core';
import { createOperationFixture, TESTED_PROFILES } from '../cases/operationFixture';
import { closeFakeServers, getJson, startFakeServer } from '../n8n-core/nodeFixture';

const LIST_TRAININGS = 'POST /api/trainings/search';

afterEach(closeFakeServers);

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);

	const listTrainings = async (filters: IDataObject, parameters: IDataObject = {}) =>
		runNode({
			node: fixture.getNode('Training'),
			parameters: {
				operation: 'getMany',
				...fixture.customer.companyParameters,
				returnAll: true,
				filters,
				...parameters,
			},
			credential: fixture.credential,
		});
	const fetchTrainings = async () => fixture.customer.fetchList(LIST_TRAININGS);
	const listNames = (records: Array<Record<string, unknown>>) => records.map(({ trainingName }) => trainingName).sort();

	test('the output shows the compliance and the audience', async () => {
		const { items } = await listTrainings({});
		for (const json of getJson(items)) {
			expect(Array.isArray(json.compliances)).toBe(true);
			expect(json.targetAudience).toEqual(expect.any(String));
			expect(json.trainingId).toEqual(expect.any(String));
		}
	});

	test.each<[filters: IDataObject, isExpected: (training: Record<string, unknown>) => boolean]>([
		[{ compliance: 'iso 27' }, ({ compliances }) => String(compliances).includes('ISO 27001')],
		[{ compliance: '27001' }, ({ compliances }) => String(compliances).includes('ISO 27001')],
		[{ targetAudience: 'MANAGERS' }, ({ targetAudience }) => targetAudience === 'Managers'],
		[
			{ targetAudience: 'developers', compliance: 'ISO 27001' },
			({ targetAudience, compliances }) => targetAudience === 'Developers' && String(compliances).includes('ISO 27001'),
		],
	])('%j returns only the trainings that match, and sends no unknown field', async (filters, isExpected) => {
		const trainings = await fetchTrainings();
		const expectedTrainings = trainings.filter(isExpected);
		expect(expectedTrainings.length).toBeGreaterThan(0);
		expect(expectedTrainings.length).toBeLessThan(trainings.length);
		fixture.standIn.setOptions({ undocumentedFieldsMode: 'refused' });
		const { items, hints } = await listTrainings(filters);
		fixture.standIn.setOptions({ undocumentedFieldsMode: 'ignored' });
		expect(listNames(getJson(items))).toEqual(listNames(expectedTrainings));
		expect(hints).toEqual([]);
	});

	test('the limit counts only the trainings that match', async () => {
		const { items } = await listTrainings({ compliance: 'ISO' }, { returnAll: false, limit: 3 });
		expect(getJson(items).map(({ compliances }) => compliances)).toEqual(Array(3).fill(['ISO 27001']));
	});

	test('an empty filter is rejected before any request', async () => {
		await expect(listTrainings({ compliance: ' ' })).rejects.toThrow("'Compliance' in 'Filters' must not be empty");
		expect(fixture.requests).toEqual([]);
	});
});

test('if the platform does not show the compliance, a hint says why no training was found', async () => {
	const results = [{ trainingId: 'a', trainingName: 'Clean Desk', targetAudience: 'Managers' }];
	const data = { pageNumber: 1, pageSize: 100, totalNumberOfPages: 1, totalNumberOfRecords: 1, results };
	const { credentialStore } = await startFakeServer({ [LIST_TRAININGS]: { data } });
	const { items, hints } = await runNode({
		node: new SecurityAwarenessTraining(),
		parameters: {
			operation: 'getMany',
			companyScope: 'own',
			filters: { compliance: 'ISO', targetAudience: 'managers' },
		},
		credential: credentialStore,
	});
	expect(items).toEqual([]);
	expect(JSON.stringify(hints)).toContain(
		"This platform's list of trainings doesn't show what 'Compliance' compares, so no training was found.",
	);
});
