/** Tests that every input item is checked before the first request that changes data is sent. */
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError, getJson, isFailedItem, requireValue, toItems } from '../n8n-core/nodeFixture';

const fixture = createOperationFixture('deployed');

/** Returns the JSON of an input item with the ID and the name of a company. */
function getCustomer(index: number) {
	const { companyResourceId, companyName } = requireValue(fixture.standIn.world.companies[index]);
	return { id: companyResourceId, customer: companyName };
}

const run = async (
	folder: string,
	parameters: IDataObject,
	options: { items: INodeExecutionData[]; onError?: OnError },
) => runNode({ node: fixture.getNode(folder), credential: fixture.credential, parameters, ...options });

const groupForm = { operation: 'create', companyScope: 'one', name: '={{ $json.name }}', priority: 'Medium' };
const CREATE_GROUP_ROUTE = 'POST /api/target-groups';

test.each([
	[
		'a field',
		{ ...groupForm, company: toIdLocator('={{ $json.id }}') },
		{ name: '' },
		"'Name' must not be empty [item 3 of 3]",
	],
	[
		'a company by name',
		{ ...groupForm, company: { __rl: true, mode: 'name', value: '={{ $json.customer }}' } },
		{ customer: 'Nobody at All' },
		"'Company' is 'Nobody at All', but no company that the credential manages has this name",
	],
])(
	'a mistake in %s of the last item prevents the first write; with On Error set to continue, only that item fails',
	async (_mistake, form, wrongValues, message) => {
		const validItems = [1, 2].map((index) => ({ ...getCustomer(index), name: `Group ${index - 1}` }));
		const items = toItems(...validItems, { ...requireValue(validItems[0]), ...wrongValues });
		const failure = await catchNodeError(run('TargetGroup', form, { items }));
		expect(failure.message).toContain(message);
		expect(fixture.standIn.getRequests(CREATE_GROUP_ROUTE)).toEqual([]);
		const { items: output } = await run('TargetGroup', form, { items, onError: 'continueRegularOutput' });
		expect(output.map(isFailedItem)).toEqual([false, false, true]);
		expect(getJson(output).map(({ name }) => name)).toEqual(['Group 0', 'Group 1', undefined]);
		expect(fixture.standIn.getRequests(CREATE_GROUP_ROUTE)).toHaveLength(2);
	},
);

test('a missing file prevents the first write; the content of a file is read when its item is written', async () => {
	const form = { operation: 'importFile', companyScope: 'one', company: toIdLocator(getCustomer(1).id), file: 'data' };
	const createCsvItem = (text: string): INodeExecutionData => ({
		json: {},
		binary: { data: { mimeType: 'text/csv', fileName: 'p.csv', data: Buffer.from(text).toString('base64') } },
	});
	const validItem = createCsvItem('Email,Phone Number\na@example.com,+4930123456\n');
	const missingFileError = await catchNodeError(run('TargetUser', form, { items: [validItem, { json: {} }] }));
	expect(missingFileError.message).toContain("names 'data', but the item has no such file");
	expect(fixture.requests).toEqual([]);
	const unreadableFileError = await catchNodeError(
		run('TargetUser', form, { items: [validItem, createCsvItem('\u0000\u0001')] }),
	);
	expect(unreadableFileError.message).toContain('[item 2 of 2]');
	expect(fixture.standIn.getRequests('POST /api/target-users/upload')).toHaveLength(1);
});
