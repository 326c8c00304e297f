/** Tests the choices of the Human Risk node: the people to return, the options, and a period without a start. */
import { maxBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { getHintMessages, requireValue } from '../n8n-core/nodeFixture';
import { createHumanRiskFixture, getItems } from './humanRiskFixture';

const { getData, runFor } = createHumanRiskFixture();

/** Changes customer 1, so that each choice of 'Only People Who' selects some people, but not all. */
function prepareCustomer(): void {
	const { users, enrollments, targetGroups, allowedDomains } = getData(1);
	const [first, second] = users;
	Object.assign(requireValue(enrollments[1]), { startDate: '2025-09-01T08:00Z', dueDate: '2026-02-01' });
	if (second) second.email = second.email.replace('@', '@other.');
	if (!first) return;
	for (const domain of allowedDomains) domain.verifyTime ??= '2025-01-01T00:00:00.000Z';
	for (const group of targetGroups)
		group.userResourceIds = group.userResourceIds.filter((id) => id !== first.resourceId);
	for (const campaign of ['phishing', 'quishing', 'smishing'] as const)
		for (const { userResourceIds } of getData(1).getCampaigns(campaign))
			userResourceIds.splice(0, Infinity, ...userResourceIds.filter((id) => id !== first.resourceId));
}

test.each<[resource: string, choice: string, isSelected: (item: IDataObject) => boolean]>([
	['coverage', 'cannotReport', ({ canReport }) => canReport === false],
	['coverage', 'notEnrolled', ({ enrolled }) => enrolled === false],
	['coverage', 'notSimulated', ({ simulated }) => simulated === false],
	['coverage', 'withoutVerifiedDomain', ({ onVerifiedDomain }) => onVerifiedDomain === false],
	['coverage', 'haveGap', ({ gaps }) => Array.isArray(gaps) && gaps.length > 0],
	['risk', 'failed', ({ failed }) => Number(failed) > 0],
	['risk', 'overdue', ({ overdueTrainings }) => Number(overdueTrainings) > 0],
	['risk', 'haveReason', ({ reasons }) => Array.isArray(reasons) && reasons.length > 0],
])("%s: 'Only People Who' (%s) selects the people whose item says so", async (resource, onlyPeopleWho, isSelected) => {
	prepareCustomer();
	const people = getItems(await runFor(1, resource, 'getByPerson'));
	const selectedPeople = getItems(await runFor(1, resource, 'getByPerson', { onlyPeopleWho }));
	expect(selectedPeople).toEqual(people.filter(isSelected));
	expect(selectedPeople).not.toEqual([]);
	expect(selectedPeople.length).toBeLessThan(people.length);
});

test('the highest risk comes first', async () => {
	const people = getItems(await runFor(1, 'risk', 'getByPerson'));
	const risks = people.map(({ riskPercent }) => Number(riskPercent ?? -1));
	expect(risks).toEqual(risks.toSorted((first, second) => second - first));
});

test('a person has at most ten reasons, the newest ones', async () => {
	const { enrollments } = getData(1);
	const enrollment = requireValue(enrollments[1]);
	const days = Array.from({ length: 28 }, (_entry, index) => `2026-09-${String(index + 1).padStart(2, '0')}`);
	for (const day of days)
		enrollments.push({
			...enrollment,
			resourceId: `overdue ${day}`,
			name: `Training ${day}`,
			startDate: '2026-08-01T08:00Z',
			dueDate: day,
		});
	const people = getItems(await runFor(1, 'risk', 'getByPerson', { onlyPeopleWho: 'overdue' }));
	const person = requireValue(maxBy(people, 'overdueTrainings'));
	expect(person.overdueTrainings).toBeGreaterThan(10);
	const reasons = z.array(z.string()).parse(person.reasons);
	const reasonDays = reasons.map((reason) => reason.slice(-11));
	expect(reasonDays).toHaveLength(10);
	expect(reasonDays).toEqual(reasonDays.toSorted().reverse());
});

describe('options', () => {
	test.each(['getByPerson', 'getByCustomer'])(
		"%s: 'Add-In Seen Within' decides whose add-in was seen in time",
		async (operation) => {
			for (const reporter of getData(1).reporters)
				reporter.lastSeen = new Date(Date.now() - 40 * 86_400_000).toISOString();
			const countReporters = async (parameters: IDataObject) => {
				const items = getItems(await runFor(1, 'coverage', operation, parameters));
				return items.reduce((sum, { canReport }) => sum + Number(canReport), 0);
			};
			expect(await countReporters({})).toBe(0);
			expect(await countReporters({ options: { reporterDays: 39 } })).toBe(0);
			expect(await countReporters({ options: { reporterDays: 41 } })).toBe(getData(1).reporters.length);
		},
	);

	test("'Repeat Offender Failures' and 'Repeat Offender Months' decide who is a repeat offender", async () => {
		const listOffenders = async (options: IDataObject) => {
			const people = getItems(await runFor(1, 'risk', 'getByPerson', { options }));
			return people.filter(({ repeatOffender }) => repeatOffender).map(({ failed }) => Number(failed));
		};
		const people = getItems(await runFor(1, 'risk', 'getByPerson'));
		for (const repeatFailures of [1, 3]) {
			const expectedCount = people.filter(({ failed }) => Number(failed) >= repeatFailures).length;
			expect(await listOffenders({ repeatFailures, repeatMonths: 17 })).toHaveLength(expectedCount);
		}
	});

	test('a next step names the rule for repeat offenders', async () => {
		const options = { repeatFailures: 1, repeatMonths: 15 };
		const [item] = getItems(await runFor(1, 'risk', 'getByCustomer', { options }));
		expect(item?.nextSteps).toContainEqual(
			expect.stringMatching(/^Enroll .+ in a training: each failed at least 1 simulation in 15 months\.$/),
		);
	});
});

describe('a period without a start', () => {
	const WITHOUT_START = { periodStart: '', periodEnd: '2001-12-31' };

	test.each(['coverage', 'risk'])('%s: the period before is empty, and a hint says why', async (resource) => {
		const result = await runFor(1, resource, 'getByCustomer', { ...WITHOUT_START, compareWithPrevious: true });
		expect(getItems(result)[0]).toMatchObject({ periodStart: null, periodEnd: '2001-12-31' });
		const name = resource === 'risk' ? 'riskPercent' : 'enrolledPercent';
		expect(getItems(result)[0]).toMatchObject({ [`${name}Before`]: null, [`${name}Change`]: null });
		expect(getHintMessages(result)).toContain(
			"The fields that end with 'Before' and 'Change' are empty, because the period has no start. Enter a 'Start Date'.",
		);
		const withoutComparison = await runFor(1, resource, 'getByCustomer', {
			...WITHOUT_START,
			compareWithPrevious: false,
		});
		expect(getItems(withoutComparison)[0]).not.toHaveProperty(`${name}Before`);
		expect(getHintMessages(withoutComparison).join(' ')).not.toContain("'Before'");
	});

	test('everyone without a record was never enrolled and never got a simulation', async () => {
		const [person] = getItems(await runFor(1, 'coverage', 'getByPerson', WITHOUT_START));
		expect(person?.gaps).toEqual(
			expect.arrayContaining(['Was never enrolled in a training.', 'Never got a simulation.']),
		);
	});
});
