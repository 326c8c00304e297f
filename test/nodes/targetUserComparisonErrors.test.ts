/** Tests the errors of Compare With List: they say what is wrong with the list, and name the customer. */
import type { IDataObject } from 'n8n-workflow';
import { runCase } from '../cases/operationFixture';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();

const getEmails = () => fixture.customer.companyData.users.map(({ email }) => email);

/** Compares one list. @returns the message and the advice of the error */
const compareAndFail = (people: IDataObject[]) =>
	getFailureMessage(
		run('TargetUser', 'compareWithList', { ...fixture.customer.companyParameters, people: JSON.stringify(people) }),
	);

/** Compares a list for each of two customers. The first list is complete. @returns the error for the second list */
async function failForSecondCustomer(people: IDataObject[], options: IDataObject = {}): Promise<string> {
	const { companies } = fixture.standIn.world;
	const firstCompany = requireValue(companies.find(({ companyName }) => companyName === 'Golden Crust Bakery'));
	const firstUsers = fixture.standIn.world.getCompanyData(firstCompany.companyResourceId).users;
	const { companyResourceId, companyName } = fixture.customer.company;
	const items = [
		{ ...firstCompany, people: firstUsers.map(({ email }) => ({ email })), options: {} },
		{ companyResourceId, companyName, people, options },
	].map((json) => ({ json }));
	const parameters = {
		companyScope: 'one',
		company: { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' },
		people: '={{ JSON.stringify($json.people) }}',
		options: { previousCount: '={{ $json.options.previousCount ?? 0 }}' },
	};
	return await getFailureMessage(
		runCase(fixture, { node: 'TargetUser', operation: 'compareWithList' }, { parameters }, { items }),
	);
}

test('a list without any usable address is not a list without the field', async () => {
	const people = [{ email: '#N/A' }, { email: 'a***@harbour.example' }, { email: '' }, { firstName: 'Ada' }];
	const message = await compareAndFail(people);
	expect(message).toContain('has no row with a valid email address');
	expect(message).toContain("position 1: '#N/A' is not an email address");
	expect(message).toContain("position 2: 'a***@harbour.example' is masked");
	expect(message).toContain('position 3: empty');
	expect(message).not.toContain('field called');
	expect(await compareAndFail([{ mail: 'ada@harbour.example' }])).toContain(
		"must have people with a field called 'email'",
	);
});

test.each([
	['no usable address', [{ email: '#N/A' }], 'has no row with a valid email address'],
	['no field for the address', [{ mail: 'ada@harbour.example' }], "must have people with a field called 'email'"],
	['an empty list', [], 'an empty list would deactivate everyone'],
	['an error of another node', [{ error: '429 - too many requests' }], '429 - too many requests'],
	['too many people to deactivate', [{ email: 'ada@harbour.example' }], 'may be deactivated'],
	[
		'a custom field that is missing',
		[{ email: 'ada@harbour.example', customFields: { Shoe: '42' } }],
		"has custom fields that the customer doesn't have: Shoe",
	],
])('%s: the error names the customer', async (_title, people, text) => {
	const message = await failForSecondCustomer(people);
	expect(message).toContain(text);
	expect(message).toContain("(at 'Harbour Bakery') [item 2 of 2]");
});

test('a short list and a platform that masks addresses: the error names the customer', async () => {
	const people = getEmails().map((email) => ({ email }));
	const shortListMessage = await failForSecondCustomer(people, { previousCount: 1000 });
	expect(shortListMessage).toContain("may be missing (at 'Harbour Bakery') [item 2 of 2]");
	for (const user of fixture.customer.companyData.users) user.email = `${user.email.slice(0, 1)}****m`;
	expect(await failForSecondCustomer(people)).toContain("masks email addresses (at 'Harbour Bakery') [item 2 of 2]");
});
