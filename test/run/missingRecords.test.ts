/** Tests the error for a record that the platform doesn't have. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { findJob, NODE_FOLDERS } from '../cases/campaigns';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError } from '../n8n-core/nodeFixture';
import { SIMULATORS } from '../stand-in/profile';

const fixture = createOperationFixture('deployed');

const DELETED_ADVICE = 'It may have been deleted, or belong to another company than the selected one.';

describe.each(SIMULATORS)('%s', (simulator) => {
	const runToFailure = async (parameters: IDataObject) =>
		catchNodeError(
			runNode({
				node: fixture.getNode(NODE_FOLDERS[simulator]),
				parameters: { ...fixture.customer.companyParameters, ...parameters },
				credential: fixture.credential,
			}),
		);

	test.each(['get', 'delete'])(
		'%s: the error for a deleted campaign first says that it may be deleted',
		async (operation) => {
			const error = await runToFailure({ resource: 'campaign', operation, campaign: toIdLocator('u3ZLStEnh1we') });
			expect(error.message).toContain(
				"the platform has no record with the ID 'u3ZLStEnh1we', or does not support this operation (404)",
			);
			expect(error.description?.startsWith(DELETED_ADVICE)).toBe(true);
		},
	);

	test('the error for a campaign job that does not exist names its number, and not only the campaign', async () => {
		const { id } = findJob(fixture.customer, simulator);
		const error = await runToFailure({
			resource: 'campaignJob',
			operation: 'getSummary',
			job: toIdLocator(`${id}/9`),
		});
		expect(error.message).toContain(`the platform has no job 9 of the campaign '${id}' (404)`);
		expect(error.description).toMatch(/^The job or its campaign may have been deleted/);
		expect(error.description).toContain("Check the number after the slash in 'Campaign Job'.");
	});
});

test.each([
	['AllowedDomain', { operation: 'delete', allowedDomain: toIdLocator('AAAAAAAAAAAA') }],
	['Enrollment', { operation: 'get', enrollment: toIdLocator('AAAAAAAAAAAA') }],
])('%s: an ID in an unknown format is not called a name', async (node, parameters) => {
	const error = await catchNodeError(
		runNode({
			node: fixture.getNode(node),
			parameters: { ...fixture.customer.companyParameters, ...parameters },
			credential: fixture.credential,
		}),
	);
	expect(error.message).toContain("no record with the ID 'AAAAAAAAAAAA'");
	expect(error.description).toContain(`${DELETED_ADVICE} If you entered a name, select the record from the list.`);
});
