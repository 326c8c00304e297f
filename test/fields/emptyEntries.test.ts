/** Tests of lists in which only some entries are empty. Without the empty entries, an operation would do less than the user asked for. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { toIdLocator } from '../cases';
import { catchNodeError, createNodeFixture, toItems, type NodeClass } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
const company = { companyScope: 'own' };

/** Forms with a list: the node, the other fields, the path of the list, its labels and, if it isn't free, a valid entry. */
const LISTS: Array<[NodeClass, IDataObject, path: [string] | [string, string], labels: string, validEntry?: string]> = [
	[
		SecurityAwarenessEnrollment,
		{ operation: 'sendToPeople', training: toIdLocator('t'), name: 'Basics', priority: 'High' },
		['people'],
		"'Target User Names or IDs'",
	],
	[
		SecurityAwarenessEnrollment,
		{ resource: 'followUp', operation: 'resendToPeople', enrollment: toIdLocator('e'), selectFrom: 'enrolledUsers' },
		['enrolledUsers'],
		"'Target User Names or IDs'",
	],
	[
		SecurityAwarenessEnrollment,
		{ resource: 'followUp', operation: 'resend', enrollment: toIdLocator('e') },
		['sendTo'],
		"'Send To'",
		'noResponse',
	],
	[
		SecurityAwarenessPhishingCampaign,
		{ operation: 'start', campaign: toIdLocator('c'), scheduleTypeId: '1' },
		['targetGroups'],
		"'Target Group Names or IDs'",
	],
	[
		SecurityAwarenessTargetGroup,
		{ resource: 'member', operation: 'add', targetGroup: toIdLocator('g') },
		['people'],
		"'Target User Names or IDs'",
	],
	[
		SecurityAwarenessExecutiveReport,
		{ resource: 'scheduledReport', operation: 'update', scheduledReport: toIdLocator('s') },
		['additionalFields', 'emailAddresses'],
		"'Email Addresses' in 'Update Fields'",
		'ceo@example.com',
	],
	[
		SecurityAwarenessApiClient,
		{
			operation: 'create',
			clientId: 'id',
			clientSecret: 'secret',
			name: 'n8n',
			roles: ['r'],
			hasIpAddressRestriction: true,
		},
		['allowedIpAddresses'],
		"'Allowed IP Addresses'",
		'192.0.2.1',
	],
	// The incomplete list would replace the stored list of groups.
	[
		SecurityAwarenessTargetUser,
		{ operation: 'update', targetUser: toIdLocator('u') },
		['additionalFields', 'targetGroupResourceIds'],
		"'Target Group Names or IDs' in 'Update Fields'",
	],
];

describe.each(LISTS)('%p %j %j', (node, form, [name, innerName], labels, validEntry = 'x') => {
	const run = async (list: string) =>
		fixture.run(
			node,
			{ ...company, ...form, [name]: innerName === undefined ? list : { [innerName]: list } },
			{ items: toItems({ people: [{ value: validEntry }, {}, { value: validEntry }] }) },
		);

	test.each<[list: string, position: number]>([
		[`={{ ["${validEntry}", ""] }}`, 2],
		[`={{ [null, "${validEntry}"] }}`, 1],
		[`={{ ["${validEntry}", "${validEntry}", "  "] }}`, 3],
		['={{ $json.people.map((person) => person.value) }}', 2],
	])('%s: the error names the position of the empty entry, and nothing is sent', async (list, position) => {
		const error = await catchNodeError(run(list));
		expect(error.message).toBe(`${labels} has an empty entry at position ${position}`);
		expect(error.description).toContain('the input item may not have the data that the expression refers to');
		expect(error.description).toContain('.filter(Boolean)');
		expect(fixture.requests).toEqual([]);
	});

	test('an empty part of a text is no entry', async () => {
		const { message } = await run(`${validEntry}, ,`).then(
			() => ({ message: '' }),
			(error: Error) => error,
		);
		expect(message).not.toContain('empty entry');
	});
});
