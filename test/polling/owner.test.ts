/** Whose a record is, by what it says itself. */
import { companyIn, ownerAmong } from '../../nodes/shared/polling/trigger';

test.each([
	[{ companyResourceId: 'c1', companyId: 'c2', company: { resourceId: 'c3' } }, 'c1'],
	[{ companyResourceId: '', companyId: 'c2', company: { resourceId: 'c3' } }, 'c2'],
	[{ companyResourceId: 7, company: { resourceId: 'c3', companyResourceId: 'c4' } }, 'c3'],
	[{ company: { companyResourceId: 'c4' } }, 'c4'],
	[{ company: 'c5' }, undefined],
	[{}, undefined],
])("a company's ID is in one of several fields: %j", (record, id) => {
	expect(companyIn(record).id).toBe(id);
	expect(companyIn(record).name).toBeUndefined();
});

test.each([
	[{ companyName: 'A', company: { name: 'B' } }, 'A'],
	[{ companyName: '', company: { name: 'B', companyName: 'C' } }, 'B'],
	[{ companyName: null, company: { companyName: 'C' } }, 'C'],
	[{ company: null }, undefined],
])("and so is a company's name: %j", (record, name) => {
	expect(companyIn(record).name).toBe(name);
	expect(companyIn(record).id).toBeUndefined();
});

const companies = [
	{ id: '1', name: 'Acme' },
	{ id: '2', name: 'Umbrella' },
	{ id: '3', name: 'umbrella' },
	{ id: '4', name: '' },
];

test.each([
	['by its ID', { companyId: '2' }, '2'],
	['by its ID, whatever the name', { companyId: '2', companyName: 'Acme' }, '2'],
	['by its name, where there is no ID', { companyName: 'ACME' }, '1'],
	['not by a name that two have', { companyName: 'Umbrella' }, undefined],
	['not by a name where the ID is another', { companyId: '9', companyName: 'Acme' }, undefined],
	['not without either', {}, undefined],
	['not where nobody has the name', { companyName: 'Initech' }, undefined],
])('the one company that a record says it is of: %s', (_what, record, id) => {
	expect(ownerAmong(companies, record)?.id).toBe(id);
});
