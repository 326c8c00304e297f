/** Both summaries give the same fields on every platform, each filled; the schema that the editor shows has no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addTrainingFigures } from '../../nodes/domain/enrollments/trainingFigures';
import { NODE_FOLDERS } from '../cases/campaigns';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { PACKAGE_ROOT } from '../n8n-core/package';
import { SIMULATORS } from '../stand-in/personality';
import { findCase } from './deployed';

const contract = createOperationFixture('contract');
const deployed = createOperationFixture('deployed');

const SUMMARIES = [
	...SIMULATORS.map((simulator) => [NODE_FOLDERS[simulator], 'getJobSummary', `${simulator}Campaign`] as const),
	['TrainingReport', 'getSummary', 'trainingReport'] as const,
];

test.each(SUMMARIES)('%s: %s', async (node, operation, resource) => {
	const summary = async (fixture: typeof contract, output: string) => {
		const { parameters, ...prepared } = await findCase(node, operation).prepare(fixture.customer);
		const { items } = await runCase(fixture, { node, operation }, { ...prepared, parameters: { ...parameters, output } });
		return items[0]?.json ?? {};
	};
	const one = await summary(contract, 'simplified');
	const other = await summary(deployed, 'simplified');
	expect(Object.keys(one)).toEqual(Object.keys(other));
	for (const json of [one, other])
		expect(Object.entries(json).filter(([, value]) => value === null || value === undefined || value === '')).toEqual(
			[],
		);
	const file = join(PACKAGE_ROOT, 'nodes', node, '__schema__/v1.0.0', resource, `${operation}.json`);
	const schema = z.object({ properties: z.record(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8')));
	const own = (names: object) => Object.keys(names).filter((name) => !name.startsWith('company'));
	expect(own(schema.properties)).toEqual(own(one));
	// The service's own answer is in Raw.
	expect(await summary(deployed, 'raw')).toHaveProperty(node === 'TrainingReport' ? 'reportDetail' : 'scenarioStats');
});

test('a figure that the platform does not return does not count as 0', () => {
	const summary = addTrainingFigures({ reportDetail: { totalTargetUserCount: 9, completedCount: 4 } });
	expect(summary).toMatchObject({ completed: 4, inProgress: null, failed: null, started: null, passed: null });
});

test('where those who failed are not among the completed, nobody passed', () => {
	expect(addTrainingFigures({ reportDetail: { completedCount: 1, failedExamCount: 4 } })).toMatchObject({ passed: 0 });
});
