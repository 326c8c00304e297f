/**
 * Tests that each summary has the same fields on a platform that follows the contract and on a live deployment, that every field has a
 * value, and that the schema that n8n's editor shows has these fields, too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addTrainingFigures } from '../../nodes/domain/enrollments/trainingFigures';
import { NODE_FOLDERS } from '../cases/campaigns';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { PACKAGE_ROOT } from '../n8n-core/package';
import { SIMULATORS } from '../stand-in/profile';
import { findCase } from './deployedFixture';
import { parseOperationKey } from '../contract/operationKeys';

const contractFixture = createOperationFixture('contract');
const deployedFixture = createOperationFixture('deployed');

const SUMMARIES = [
	...SIMULATORS.map((simulator) => [NODE_FOLDERS[simulator], 'campaignJob.getSummary'] as const),
	['TrainingReport', 'getSummary'] as const,
];

test.each(SUMMARIES)('%s: %s', async (node, operation) => {
	const getSummary = async (fixture: typeof contractFixture, output: string) => {
		const { parameters, ...prepared } = await findCase(node, operation).prepare(fixture.customer);
		const { items } = await runCase(
			fixture,
			{ node, operation },
			{ ...prepared, parameters: { ...parameters, output } },
		);
		return items[0]?.json ?? {};
	};
	const contractSummary = await getSummary(contractFixture, 'simplified');
	const deployedSummary = await getSummary(deployedFixture, 'simplified');
	expect(Object.keys(contractSummary)).toEqual(Object.keys(deployedSummary));
	for (const summary of [contractSummary, deployedSummary])
		expect(
			Object.entries(summary).filter(([, value]) => value === null || value === undefined || value === ''),
		).toEqual([]);
	const selection = parseOperationKey(node, operation);
	const file = join(
		PACKAGE_ROOT,
		'nodes',
		node,
		'__schema__/v1.0.0',
		selection.resource,
		`${selection.operation}.json`,
	);
	const schema = z.object({ properties: z.record(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8')));
	const listNonCompanyFields = (record: object) => Object.keys(record).filter((name) => !name.startsWith('company'));
	expect(listNonCompanyFields(schema.properties)).toEqual(listNonCompanyFields(contractSummary));
	// The raw output contains the platform's response.
	expect(await getSummary(deployedFixture, 'raw')).toHaveProperty(
		node === 'TrainingReport' ? 'reportDetail' : 'scenarioStats',
	);
});

test('a figure that the platform does not return is null, not 0', () => {
	const summary = addTrainingFigures({ reportDetail: { totalTargetUserCount: 9, completedCount: 4 } });
	expect(summary).toMatchObject({ completed: 4, inProgress: null, failed: null, started: null, passed: null });
});

test('if more people failed than completed, the number of people who passed is 0', () => {
	expect(addTrainingFigures({ reportDetail: { completedCount: 1, failedExamCount: 4 } })).toMatchObject({ passed: 0 });
});
