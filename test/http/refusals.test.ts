/** Whom an error blames: not the credential's role for one customer of many, nor the Base URL for what a proxy says. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { answering, failedItem, failureOf, isFailed, nodeFixture, sendJson, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
const GROUPS = 'POST /api/target-groups/search/current-company';

test('a 403 for one of 40 customers does not blame the role', async () => {
	const refused = the(b.service.state.companies[20]);
	b.service.fault({ route: GROUPS, kind: 'forbidden-company', company: refused.companyResourceId, times: Infinity });
	const { items } = await b.run(
		SecurityAwarenessTargetGroup,
		{ operation: 'getMany', companyScope: 'every', onlyCompanies: {}, limit: 1 },
		{ onError: 'continueRegularOutput' },
	);
	const [failed, ...more] = items.filter(isFailed);
	expect(more).toEqual([]);
	expect(failedItem(failed).error).toMatchObject({
		message: `Could not get target groups for '${refused.companyName ?? ''}': access was refused (403)`,
		description:
			"The service says: You are not authorized to act for this company. Check that this company is one of your customers. It is not the credential's role: the same worked for another company.",
	});
});

test.each([
	[
		{ status: 'PRIVACY_ERROR', message: 'Closed.' },
		403,
		/^The service says: Closed\. The customer has closed the access/,
	],
	[{ message: 'Sign in.' }, 407, /^The service says: Sign in\. Ask whoever runs n8n to give it the proxy's user/],
	[{ message: 'Too large.' }, 413, /^The service says: Too large\. Try again later\. If it goes on, ask the platform/],
])('%j (%i) is explained', async (body, status, description) => {
	const odd = await answering((_request, response) => sendJson(response, status, body));
	const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store }));
	expect(error.description).toMatch(description);
	expect(error.description).not.toContain('Base URL');
});
