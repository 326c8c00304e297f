/** Uploads of a file: by its name or by an expression, from any place where n8n stores it. */
import { createHash } from 'node:crypto';
import type { IBinaryData, IDataObject, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { storeBinary, type BinaryMode } from '../n8n-core';
import { NEW_COMPANY } from '../cases/newCompany';
import { nodeFixture, failureOf, type RunMore } from '../n8n-core/nodeFixture';

const b = nodeFixture();
const CONTENT = Buffer.from('the logo of a bakery');
const FILE = { fileName: 'logo.png', mimeType: 'image/png' };
const CREATE = 'POST /api/companies';

const combined = { binaryMode: 'combined' } as IWorkflowSettings;
const sent = z.object({ files: z.array(z.unknown()).length(1) });

async function create(logo: unknown, item: INodeExecutionData, more: RunMore = {}) {
	const parameters = { ...NEW_COMPANY, additionalFields: { logo } } as IDataObject;
	return await b.run(SecurityAwarenessCompany, parameters, { items: [item], ...more });
}

const store = async (mode: BinaryMode) => await storeBinary(CONTENT, FILE, mode);
const stored = async (mode: BinaryMode, name = 'data'): Promise<INodeExecutionData> => ({
	json: {},
	binary: { [name]: await store(mode) },
});
/** As n8n 2 hands over items in a workflow of that mode: files are among the fields. */
const amongFields = (file: IBinaryData): INodeExecutionData => ({ json: { _files: { data: { ...file } } } });
const isIn2 = async () => 'BINARY_MODE_COMBINED' in (await import('n8n-workflow'));

function expectSent() {
	const [request, ...more] = b.service.requests(CREATE);
	expect(more).toEqual([]);
	const [file] = sent.parse(request?.body).files;
	expect(file).toEqual({
		field: 'File',
		...FILE,
		bytes: CONTENT.length,
		sha256: createHash('sha256').update(CONTENT).digest('hex'),
	});
}

describe.each<BinaryMode>(['memory', 'filesystem'])('n8n keeps files in: %s', (binaryMode) => {
	test('by its name', async () => {
		await create('data', await stored(binaryMode), { binaryMode });
		expectSent();
	});

	test.each(['={{ $binary.logo }}', '={{ $input.item.binary.logo }}'])('by an expression: %s', async (logo) => {
		await create(logo, await stored(binaryMode, 'logo'), { binaryMode });
		expectSent();
	});

	test.each(['data', '_files.data', '={{ $json._files.data }}'])(
		'among the fields, as in binary mode combined: %s',
		async (logo) => {
			if (!(await isIn2())) return;
			await create(logo, amongFields(await store(binaryMode)), { binaryMode, settings: combined });
			expectSent();
		},
	);

	test.each(['data', '={{ $binary.data }}'])('in its old place although the mode is combined: %s', async (logo) => {
		await create(logo, await stored(binaryMode), { binaryMode, settings: combined });
		expectSent();
	});

	test('none is named: nothing is sent along', async () => {
		await create('', await stored(binaryMode), { binaryMode });
		expect(b.service.requests(CREATE)[0]?.body).toMatchObject({ files: [] });
	});

	test.each<[string, unknown, IWorkflowSettings, string, string]>([
		['another name', 'image', {}, "names 'image', but the item has no file of that name", "It has 'data'."],
		[
			'another name, combined',
			'image',
			combined,
			"names 'image', but the item has no file of that name",
			"It has 'data'.",
		],
		[
			'a name of JavaScript',
			'__proto__',
			{},
			"names '__proto__', but the item has no file of that name",
			"It has 'data'.",
		],
		[
			'an object that is none',
			'={{ { a: 1 } }}',
			{},
			'is an object that is no file',
			"Enter the name of the item's field that holds the file. It has 'data'.",
		],
		[
			'one without its content',
			'={{ { mimeType: "image/png", fileName: "other.png" } }}',
			{},
			'is a file without its content',
			"Enter the name of the item's field that holds the file instead, such as 'data'.",
		],
		[
			'one that is no more',
			'={{ { mimeType: "image/png", id: "filesystem-v2:gone", data: "filesystem-v2" } }}',
			{},
			'is a file that n8n cannot read',
			'It may have been deleted meanwhile: run the node that outputs it again.',
		],
		['a list', '={{ [1] }}', {}, 'must be text', ''],
	])('none that can be sent: %s', async (_name, logo, settings, complaint, advice) => {
		const error = await failureOf(create(logo, await stored(binaryMode), { binaryMode, settings }));
		expect(error.message).toBe(`'Logo Input Data Field Name' in 'Additional Fields' ${complaint}`);
		expect(error.description).toContain(advice);
		expect(b.asked).toEqual([]);
	});
});

test('no file at all: says so', async () => {
	const error = await failureOf(create('data', { json: {} }));
	expect(error.description).toBe('It has no file at all: put a node that outputs one before this node.');
});

test('a file without a name gets one, because a form wants it', async () => {
	const { fileName: _fileName, ...file } = await store('memory');
	await create('data', { json: {}, binary: { data: file } });
	expect(sent.parse(b.service.requests(CREATE)[0]?.body).files).toMatchObject([{ fileName: 'file' }]);
});
