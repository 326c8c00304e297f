/** Which fields are kept as name, ID, status and times, one name at a time. */
import { simplified } from '../../nodes/shared/answer/simplify';

/** Ten fields that say nothing of it, before the one in question and after it. */
const many = (name: string, value: string | boolean = 'x') => {
	const plain = (from: number) =>
		Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`plain${String.fromCharCode(from + index)}`, 'x']));
	return { ...plain(65), [name]: value, ...plain(75) };
};
const stays = (name: string) => Object.keys(simplified(many(name), [])).includes(name);
const ESSENTIALS = ['plainA', 'plainB', 'plainC', 'plainD', 'plainE'];

const KEPT = [
	...[
		'name',
		'title',
		'displayName',
		'fullName',
		'firstName',
		'lastName',
		'email',
		'userEmail',
		'scenarioTitle',
		'workEmail',
	],
	...['id', 'resourceId', 'key', 'guid', 'uuid', 'instanceGroup', 'trainingId', 'rowGuid', 'accessKey'],
	...[
		'status',
		'statusId',
		'statusName',
		'statusText',
		'statusCode',
		'jobStatus',
		'state',
		'licenceExpired',
		'expired',
	],
	...['active', 'isActive', 'enabled', 'isEnabled', 'disabled', 'isDisabled', 'deleted', 'isDeleted'],
	...['time', 'createTime', 'date', 'startDate', 'timestamp', 'logTimestamp', 'createdAt', 'updatedOn'],
];

test.each(KEPT)('%s stays, also with a capital in front, and beside the essentials', (name) => {
	const capital = name.charAt(0).toUpperCase() + name.slice(1);
	expect([name, capital].map(stays)).toEqual([true, true]);
	expect(Object.keys(simplified(many(name), ESSENTIALS))).toContain(name);
});

test.each([
	...[
		'parentCompanyName',
		'industryName',
		'languageId',
		'roleName',
		'countryId',
		'timeZoneId',
		'categoryName',
		'tenantId',
	],
	...[
		'resellerName',
		'templateId',
		'licenseTypeName',
		'named',
		'idle',
		'statement',
		'statusHistory',
		'active2',
		'dated',
	],
	...['at', 'on', 'reactive', 'timed', 'update', 'keyword'],
])('%s is about something else', (name) => {
	expect(stays(name)).toBe(false);
});

test('of several names that are only likely, the first one stays', () => {
	const kept = Object.keys(simplified({ ...many('sceneTitle'), sceneName: 'x' }, []));
	expect(kept).toEqual(expect.arrayContaining(['sceneTitle']));
	expect(kept).not.toContain('sceneName');
});

test('a name that is certain goes before those that are likely', () => {
	const kept = Object.keys(simplified({ ...many('sceneTitle'), name: 'x' }, []));
	expect(kept).toContain('name');
	expect(kept).not.toContain('sceneTitle');
});

test.each(['clientSecret', 'Password', 'accessToken', 'privateKey', 'private_key', 'apiKey', 'API_KEY'])(
	'%s goes',
	(name) => {
		expect(simplified({ [name]: 'x', a: { [name]: 'x', b: 1 } }, [name, 'a'])).toEqual({ a: { b: 1 } });
	},
);

test('ten fields are left, or twelve where it takes them, and a small record stays whole', () => {
	expect(Object.keys(simplified(many('other'), []))).toHaveLength(10);
	const small = { a: 1, b: null, c: '', d: [1, 'x'], e: { f: 1 } };
	expect(simplified(small, [])).toEqual({ ...small, d: '1, x' });
	const vital = Object.fromEntries(KEPT.map((name) => [name, 'x']));
	expect(Object.keys(simplified(vital, []))).toHaveLength(12);
	const essentials = Array.from({ length: 11 }, (_, index) => `plain${String.fromCharCode(65 + index)}`);
	expect(Object.keys(simplified({ ...many('name'), id: 1, status: 'x' }, essentials))).toHaveLength(12);
});

test('what is empty takes no place from what says something', () => {
	const kept = Object.keys(simplified({ ...many('status', ''), id: 5 }, []));
	expect(kept).toContain('id');
	expect(kept).not.toContain('status');
});

test('lists become text where their entries can be told', () => {
	const entries = [{ name: 'A', id: 1 }, { id: 2 }, { other: 'x', title: 'T' }, 'b', 3, null];
	expect(simplified({ list: entries }, [])).toEqual({ list: 'A, 2, T, b, 3' });
	expect(simplified({ list: [{ other: 1 }] }, [])).toEqual({ list: [{ other: 1 }] });
	expect(simplified({ list: [['x']] }, [])).toEqual({ list: [['x']] });
});

test('of more than ten fields, lists of texts are kept, and lists that hold more than texts give way to what is flat', () => {
	const record = { tags: ['x', 'y'], mixed: ['x', { deep: { deeper: 1 } }], ...many('name') };
	const kept = simplified(record, []);
	expect(kept.tags).toBe('x, y');
	expect(kept).not.toHaveProperty('mixed');
	expect(Object.keys(kept)).toHaveLength(10);
});
