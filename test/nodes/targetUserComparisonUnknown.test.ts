/** Tests Compare With List with people in the list whose email address can't be read. */
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture } from './deployedFixture';

const { fixture, run } = createDeployedFixture();

const getUsers = () => fixture.customer.companyData.users;

/** Compares a list in which the entry of the first person has other values. */
async function compareUnknownPerson(values: IDataObject, options: IDataObject = {}) {
	const { items, hints } = await run('TargetUser', 'compareWithList', {
		...fixture.customer.companyParameters,
		people: JSON.stringify([
			...getUsers()
				.slice(1)
				.map(({ email }) => ({ email })),
			values,
		]),
		options: { includeUnchanged: true, ...options },
	});
	const { action, reason } = requireValue(items.find(({ json }) => json.email === getUsers()[0]?.email)).json;
	return { action, reason, hints: hints.map(({ message }) => message).join() };
}

test.each(['#N/A', '', null, 'ada at example.com'])(
	'an email %j never deactivates a person who may be that entry, and a hint says so',
	async (email) => {
		const { action, reason, hints } = await compareUnknownPerson({ email, firstName: 'Ada' });
		expect(action).toBe('invalid');
		expect(reason).toBe('is not in the list, but may be one of the people there without a valid email address (1)');
		expect(hints).toContain('people who are missing in the list were not deactivated');
		expect(hints).toContain(`position ${getUsers().length}`);
		const ignored = await compareUnknownPerson({ email }, { ignoreMissing: true });
		expect(ignored).toMatchObject({ action: 'unchanged', hints: '' });
	},
);

test.each([{ skip: 'service account' }, { isActive: false }])(
	'an entry without an email address and with %j stops no deactivation',
	async (values) => {
		expect(await compareUnknownPerson({ email: '', ...values })).toMatchObject({ action: 'deactivate', hints: '' });
	},
);
