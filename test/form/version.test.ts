/** Fields that only some versions of a node have: what n8n shows of them, and what a form reads. */
import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { collection } from '../../nodes/shared/form/collection';
import { changedIn, propertiesOfFields, showWhen, since, until } from '../../nodes/shared/form/field';
import { FormValues } from '../../nodes/shared/form/formValues';
import { wholeNumber } from '../../nodes/shared/form/number';
import { text } from '../../nodes/shared/form/text';
import { toggle } from '../../nodes/shared/form/toggle';
import { NODE_VERSION, VERSIONS } from '../../nodes/shared/form/version';

const isOn = toggle({ displayName: 'On', default: true, description: '' });
const fields = {
	isOn,
	always: text({ displayName: 'Always' }),
	later: since(1.1, text({ displayName: 'Later', default: 'l' })),
	laterIfOn: since(1.1, showWhen({ isOn: [true] }, text({ displayName: 'Later If On', default: 'o' }))),
	earlier: until(1.1, text({ displayName: 'Earlier', default: 'e' })),
	changed: changedIn(
		1.1,
		text({ displayName: 'Changed', default: '5' }),
		wholeNumber({ displayName: 'Changed', default: 5, min: 0 }),
	),
	more: collection({
		displayName: 'More',
		fields: {
			old: text({ displayName: 'Old' }),
			added: since(1.1, text({ displayName: 'Added' })),
		},
	}),
};

/** What n8n makes of saved parameters for a version, and what the form reads of that. */
async function read(version: number | undefined, saved: INodeParameters) {
	const node = { typeVersion: version ?? NODE_VERSION };
	const kept = NodeHelpers.getNodeParameters(propertiesOfFields(fields), saved, true, false, node, null) ?? {};
	const form = await FormValues.read(fields, (name) => kept[name], {
		timezone: 'UTC',
		...(version === undefined ? {} : { version }),
		upload: () => Promise.reject(new Error('There is no file')),
	});
	return { kept, values: form.valid().of(fields) };
}

test('a node of the first version has what it had', async () => {
	const { kept, values } = await read(1, { always: 'a' });
	expect(kept).toEqual({ isOn: true, always: 'a', earlier: 'e', changed: '5', more: {} });
	expect(values).toEqual({ ...kept, later: undefined, laterIfOn: undefined });
});

test('a value that an old node cannot have is not read', async () => {
	const saved = { always: 'a', later: 'x', more: { old: 'b', added: 'c' } };
	const { values } = await read(1, saved);
	expect(values).toMatchObject({ later: undefined });
	expect(values.more.added).toBeUndefined();
	expect(values.more.old).toBe('b');
});

test('a new node has what is there now', async () => {
	const { kept, values } = await read(1.1, { more: { old: 'b', added: 'c' } });
	const now = { isOn: true, always: '', later: 'l', laterIfOn: 'o', changed: 5, more: { old: 'b', added: 'c' } };
	expect(kept).toEqual(now);
	expect(values).toEqual({ ...now, earlier: undefined });
	expect((await read(undefined, { more: { old: 'b', added: 'c' } })).values).toEqual(values);
});

test('other conditions of a field count as well', async () => {
	const { kept, values } = await read(1.1, { isOn: false });
	expect(kept).not.toHaveProperty('laterIfOn');
	expect(values.laterIfOn).toBeUndefined();
});

test('the newest version is the last of the list', () => {
	expect(NODE_VERSION).toBe(Math.max(...VERSIONS));
	expect(VERSIONS[0]).toBe(1);
});
