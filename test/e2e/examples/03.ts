import { parseBodies, registerCheck, sort, waitInN8n } from './check';
import { findTextsKeptByN8n } from './secrets';

const WORD = 'Bakery';
const REVOKE = 'POST /api/scim/{resourceId}/revoke';

registerCheck(3, async ({ environment: stage, client, service, inbox, runActivated: runActive, refuseCompany: refuse, getChatTexts: texts, expectEqual: same, expectNone: none }) => {
	const customers = service.state.companies.filter(({ companyName }) => companyName?.includes(WORD));
	const listIntegrations = () => customers.flatMap(({ companyResourceId }) => service.state.getCompanyData(companyResourceId).scimIntegrations);
	const before = new Map(listIntegrations().map(({ resourceId, token }) => [resourceId, token]));
	const isNew = ({ resourceId, token }: { resourceId: string; token: string }) => before.get(resourceId) !== token;
	const getLastText = () => texts().at(-1) ?? '';
	const waitForMessage = async () => {
		const countLines = texts().length;
		await waitInN8n('a message in the chat', () => texts().length > countLines);
	};

	await runActive(waitForMessage, { count: 0, settings: { onlyCustomers: WORD, vaultUrl: 'http://127.0.0.1:9/closed' } });
	same(
		'while the vault does not answer nothing is renewed, and the chat is told',
		[listIntegrations().filter(isNew).length, /Is the Vault There\?' failed/.test(getLastText())],
		[0, true],
	);

	// The service refuses the third customer's, the vault does not take the first one's however often it is asked.
	refuse(customers[2], REVOKE);
	inbox.refuseRequests('vaultUrl', 5);
	let saved: unknown[] = [];
	const waitAndSaveExecutions = async (id: string) => {
		await waitForMessage();
		saved = await client.readExecutions(id);
	};
	await runActive(waitAndSaveExecutions, { count: 0, settings: { onlyCustomers: WORD } });

	const renewed = listIntegrations().filter(isNew);
	const old = service.state.getCompanyData(customers[2]?.companyResourceId ?? '').scimIntegrations.map(isNew);
	same(
		`${renewed.length} of ${before.size} tokens are new, each renewed once; the refused one is the old one`,
		[renewed.length, renewed.every(({ tokenVersion }) => tokenVersion === 2), old],
		[before.size - 1, true, [false]],
	);
	const lost = service.getRequests(REVOKE)[0]?.path ?? '';
	const valid = renewed
		.filter(({ resourceId }) => !lost.includes(resourceId))
		.map(({ resourceId, companyResourceId, token }) => [resourceId, companyResourceId, token]);
	same('some tokens are new', valid.length > 0, true);
	const handed = parseBodies(inbox.getRequests('vaultUrl'));
	same(
		`the vault has the ${valid.length} tokens that are valid now, each once and for its customer`,
		sort(handed.map(({ scimIntegrationId, companyId, secret }) => [scimIntegrationId, companyId, secret])),
		sort(valid),
	);
	const lines = getLastText().split('\n');
	const countLines = (isOne: (line: string) => boolean) => lines.filter(isOne).length;
	const isRefusal = (line: string) => line.includes(customers[2]?.companyName ?? '') && line.includes('403');
	same(
		'the chat was told how each went: renewed, not taken by the vault, refused by the service',
		[countLines((line) => line.endsWith(': renewed')), countLines((line) => /old token is void/.test(line)), countLines(isRefusal)],
		[valid.length, 1, 1],
	);
	const tokens = [...listIntegrations().map(({ token }) => token), ...before.values()];
	none(
		'no token is in the chat',
		tokens.filter((token) => texts().join().includes(token)),
	);
	// The title shows that one looks in the right place.
	const kept = await findTextsKeptByN8n(stage.n8n, [...tokens, 'Rotate SCIM Tokens']);
	same(`n8n keeps none of ${tokens.length} tokens: not in its log, its database, its folder`, kept, [
		'Rotate SCIM Tokens',
	]);
	none('and no execution', saved);
});
