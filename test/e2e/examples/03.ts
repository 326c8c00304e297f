import { bodiesOf, checkExample, sorted, until } from './check';
import { keptByN8n } from './secrets';

const WORD = 'Bakery';
const REVOKE = 'POST /api/scim/{resourceId}/revoke';

checkExample(3, async ({ stage, client, service, inbox, runActive, refuse, texts, same, none }) => {
	const customers = service.state.companies.filter(({ companyName }) => companyName?.includes(WORD));
	const integrations = () => customers.flatMap(({ companyResourceId }) => service.state.of(companyResourceId).scim);
	const before = new Map(integrations().map(({ resourceId, token }) => [resourceId, token]));
	const isNew = ({ resourceId, token }: { resourceId: string; token: string }) => before.get(resourceId) !== token;
	const text = () => texts().at(-1) ?? '';
	const told = async () => {
		const count = texts().length;
		await until('a message in the chat', () => texts().length > count);
	};

	await runActive(told, { count: 0, settings: { onlyCustomers: WORD, vaultUrl: 'http://127.0.0.1:9/closed' } });
	same(
		'while the vault does not answer nothing is renewed, and the chat is told',
		[integrations().filter(isNew).length, /Is the Vault There\?' failed/.test(text())],
		[0, true],
	);

	// The service refuses the third customer's, the vault does not take the first one's however often it is asked.
	refuse(customers[2], REVOKE);
	inbox.refuse('vaultUrl', 5);
	let saved: unknown[] = [];
	const happen = async (id: string) => {
		await told();
		saved = await client.executions(id);
	};
	await runActive(happen, { count: 0, settings: { onlyCustomers: WORD } });

	const renewed = integrations().filter(isNew);
	const old = service.state.of(customers[2]?.companyResourceId ?? '').scim.map(isNew);
	same(
		`${renewed.length} of ${before.size} tokens are new, each renewed once; the refused one is the old one`,
		[renewed.length, renewed.every(({ tokenVersion }) => tokenVersion === 2), old],
		[before.size - 1, true, [false]],
	);
	const lost = service.requests(REVOKE)[0]?.path ?? '';
	const valid = renewed
		.filter(({ resourceId }) => !lost.includes(resourceId))
		.map(({ resourceId, companyResourceId, token }) => [resourceId, companyResourceId, token]);
	same('some tokens are new', valid.length > 0, true);
	const handed = bodiesOf(inbox.of('vaultUrl'));
	same(
		`the vault has the ${valid.length} tokens that are valid now, each once and for its customer`,
		sorted(handed.map(({ scimIntegrationId, companyId, secret }) => [scimIntegrationId, companyId, secret])),
		sorted(valid),
	);
	const lines = text().split('\n');
	const count = (isOne: (line: string) => boolean) => lines.filter(isOne).length;
	const refusal = (line: string) => line.includes(customers[2]?.companyName ?? '') && line.includes('403');
	same(
		'the chat was told how each went: renewed, not taken by the vault, refused by the service',
		[count((line) => line.endsWith(': renewed')), count((line) => /old token is void/.test(line)), count(refusal)],
		[valid.length, 1, 1],
	);
	const tokens = [...integrations().map(({ token }) => token), ...before.values()];
	none(
		'no token is in the chat',
		tokens.filter((token) => texts().join().includes(token)),
	);
	// The title shows that one looks in the right place.
	const kept = await keptByN8n(stage.n8n, [...tokens, 'Rotate SCIM Tokens']);
	same(`n8n keeps none of ${tokens.length} tokens: not in its log, its database, its folder`, kept, [
		'Rotate SCIM Tokens',
	]);
	none('and no execution', saved);
});
