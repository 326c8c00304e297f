import { bodiesOf, checkExample, textsOf } from './check';
import { keptByN8n } from './secrets';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';

const WORD = 'Bakery';

checkExample(3, async ({ stage, client, service, inbox, runActive, same }) => {
	const customers = service.state.companies.filter(({ companyName }) => companyName?.includes(WORD));
	const integrations = () => customers.flatMap(({ companyResourceId }) => service.state.of(companyResourceId).scim);
	const before = new Map(integrations().map(({ resourceId, token }) => [resourceId, token]));
	const isNew = ({ resourceId, token }: { resourceId: string; token: string }) => before.get(resourceId) !== token;
	const text = () => textsOf(inbox.of('chatUrl')).at(-1) ?? '';
	const told = async () => {
		const count = inbox.of('chatUrl').length;
		await waitUntil('a message in the chat', () => inbox.of('chatUrl').length > count, IN_ANOTHER_PROCESS);
	};

	await runActive(told, { count: 0, settings: { onlyCustomers: WORD, vaultUrl: 'http://127.0.0.1:9/closed' } });
	same(
		'while the vault does not answer nothing is renewed, and the chat is told',
		[integrations().filter(isNew).length, /Is the Vault There\?' failed/.test(text())],
		[0, true],
	);

	// The service refuses the third customer's, the vault does not take the first one's however often it is asked.
	const refused = customers[2]?.companyResourceId ?? '';
	service.fault({
		kind: 'forbidden-company',
		company: refused,
		route: 'POST /api/scim/{resourceId}/revoke',
		times: Infinity,
	});
	inbox.refuse('vaultUrl', 5);
	let saved: unknown[] = [];
	await runActive(
		async (id) => {
			await told();
			saved = await client.executions(id);
		},
		{ count: 0, settings: { onlyCustomers: WORD } },
	);

	const renewed = integrations().filter(isNew);
	const handed = bodiesOf(inbox.of('vaultUrl').filter(({ method }) => method === 'POST'));
	same(
		`${renewed.length} of ${before.size} tokens are new, each renewed once; the refused one is the old one`,
		[
			renewed.length,
			renewed.every(({ tokenVersion }) => tokenVersion === 2),
			service.state.of(refused).scim.map(isNew),
		],
		[before.size - 1, true, [false]],
	);
	const lost = service.requests('POST /api/scim/{resourceId}/revoke')[0]?.path ?? '';
	const valid = renewed
		.filter(({ resourceId }) => !lost.includes(resourceId))
		.map(({ resourceId, companyResourceId, token }) => [resourceId, companyResourceId, token]);
	const inVault = handed.map(({ scimIntegrationId, companyId, secret }) => [scimIntegrationId, companyId, secret]);
	same(
		`the vault has the ${valid.length} tokens that are valid now, each once and for its customer`,
		inVault.sort(),
		valid.sort(),
	);
	const lines = text().split('\n');
	same(
		'the chat was told how each went',
		lines.map((line) => /: renewed$/.test(line)).filter(Boolean).length,
		valid.length,
	);
	same(
		'of the one that the vault did not take, and of the one that the service refused',
		[
			lines.filter((line) => /old token is void/.test(line)).length,
			lines.filter((line) => line.includes(customers[2]?.companyName ?? '') && line.includes('403')).length,
		],
		[1, 1],
	);

	const tokens = [...integrations().map(({ token }) => token), ...before.values()];
	same(
		'no token is in the chat',
		tokens.filter((token) => JSON.stringify(inbox.of('chatUrl')).includes(token)),
		[],
	);
	same(
		`n8n keeps none of ${tokens.length} tokens, old and new: not in its log, its database, its folder`,
		await keptByN8n(stage.n8n, [...tokens, 'Rotate SCIM Tokens']),
		['Rotate SCIM Tokens'],
	);
	same('and no execution', saved, []);
});
