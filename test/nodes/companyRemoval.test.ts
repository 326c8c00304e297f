/** Tests that delete companies and remove them from company groups, on a stand-in that behaves like a live deployment. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from '../cases';
import { getHintMessages, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
let customer: CustomerFixture;
beforeEach(() => {
	customer = fixture.customer.switchToCompany(fixture.customer.company);
});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const READ_COMPANY = 'GET /api/companies/{resourceId}';
const DELETE_COMPANY = 'DELETE /api/companies/{resourceId}';
const responseSchema = z.object({ data: z.record(z.unknown()) }).passthrough();

describe('delete', () => {
	const deleteCompany = async (nameToDelete: string) =>
		run('Company', 'delete', { company: toIdLocator(customer.companyId), nameToDelete });
	const hasCompany = () => customer.world.companies.some(({ companyName }) => companyName === 'Harbour Bakery');

	test.each([
		['another case', 'harbour bakery'],
		['a space at the end', 'Harbour Bakery '],
		['a space at the beginning', ' Harbour Bakery'],
		['two spaces', 'Harbour  Bakery'],
		['a part of it', 'Harbour'],
		['a letter too few', 'Harbour Baker'],
		['a letter too many', 'Harbour Bakerys'],
		['another letter', 'Harbor Bakery'],
		['a letter that looks the same', 'Harbour B\u0430kery'],
		['the ID', 'id'],
	])('a name with %s is rejected, and the company is not deleted', async (difference, enteredName) => {
		const message = await getFailureMessage(deleteCompany(enteredName === 'id' ? customer.companyId : enteredName));
		expect(message).toContain("'Confirm Company Name' is not the name of the selected company");
		expect(message).toContain('Nothing was deleted.');
		if (!/space/.test(difference)) expect(message).not.toContain('Harbour Bakery');
		expect(fixture.standIn.getRequests(DELETE_COMPANY)).toEqual([]);
		expect(hasCompany()).toBe(true);
	});

	test('without a name, the deletion is rejected before anything is sent', async () => {
		expect(await getFailureMessage(deleteCompany(' '))).toContain("'Confirm Company Name' must not be empty");
		expect(fixture.requests).toEqual([]);
	});

	test('if the record has no name, no entered name is accepted', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route !== READ_COMPANY) return envelope;
				const response = responseSchema.parse(envelope);
				const { name: _hidden, ...otherFields } = response.data;
				return { ...response, data: otherFields };
			},
		});
		expect(await getFailureMessage(deleteCompany('Harbour Bakery'))).toContain(
			'is not the name of the selected company',
		);
		expect(hasCompany()).toBe(true);
	});

	test('with the exact name, only that company is deleted', async () => {
		const idsBefore = customer.world.companies.map(({ companyResourceId }) => companyResourceId);
		const { companyId } = customer;
		await deleteCompany('Harbour Bakery');
		expect(fixture.standIn.getRequests(DELETE_COMPANY)).toHaveLength(1);
		expect(fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId)).toEqual(
			idsBefore.filter((id) => id !== companyId),
		);
	});
});

describe('company groups', () => {
	const getGroup = () => requireValue(customer.world.companyGroups[1]);
	const runInGroup = async (operation: string, parameters: IDataObject = {}) =>
		run('CompanyGroup', operation, { companyGroup: toIdLocator(getGroup().resourceId), ...parameters });

	test('only the named companies are removed from the group, and the companies themselves are kept', async () => {
		const [firstId, secondId, ...otherIds] = getGroup().companyResourceIdArray;
		await runInGroup('member.remove', { companies: `${firstId}, ${secondId}` });
		expect(getGroup().companyResourceIdArray).toEqual(otherIds);
		expect(customer.world.companies.map(({ companyResourceId }) => companyResourceId)).toContain(firstId);
		const { items } = await runInGroup('member.getMany', { returnAll: true });
		expect(items.map(({ json }) => json.companyResourceId).sort()).toEqual([...otherIds].sort());
	});

	test('an empty list removes no company', async () => {
		for (const companies of ['={{ [] }}', '={{ $json.missing }}', ' , '])
			expect(await getFailureMessage(runInGroup('member.remove', { companies }))).toContain(
				'must name at least one company',
			);
		expect(fixture.requests).toEqual([]);
	});

	test('if replaced companies are still in the group, a hint names the operation that removes them', async () => {
		const memberCount = getGroup().companyResourceIdArray.length;
		const newCompany = customer.world.companies.find(
			({ companyResourceId }) => !getGroup().companyResourceIdArray.includes(companyResourceId),
		);
		const result = await runInGroup('member.replace', {
			companies: requireValue(newCompany).companyResourceId,
		});
		expect(memberCount).toBeGreaterThan(0);
		expect(getHintMessages(result).join()).toContain("with 'Remove company group members'");
	});
});
