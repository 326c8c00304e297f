import { parseBodies, registerCheck, sortForComparison, waitInN8n } from './registerCheck';
import { findStoredTexts } from './textsKeptByN8n';

/** The names of the selected customers contain this text. */
const NAME_FRAGMENT = 'Bakery';
const REVOKE_ROUTE = 'POST /api/scim/{resourceId}/revoke';

registerCheck(
	3,
	async ({
		environment,
		client,
		service,
		inbox,
		runActivated,
		refuseCompany,
		getChatTexts,
		expectEqual,
		expectNone,
	}) => {
		const customers = service.world.companies.filter(({ companyName }) => companyName?.includes(NAME_FRAGMENT));
		const listIntegrations = () =>
			customers.flatMap(({ companyResourceId }) => service.world.getCompanyData(companyResourceId).scimIntegrations);
		const tokensBeforeById = new Map(listIntegrations().map(({ resourceId, token }) => [resourceId, token]));
		const hasNewToken = ({ resourceId, token }: { resourceId: string; token: string }) =>
			tokensBeforeById.get(resourceId) !== token;
		const getLastText = () => getChatTexts().at(-1) ?? '';
		const waitForMessage = async () => {
			const messageCount = getChatTexts().length;
			await waitInN8n('a message in the chat', () => getChatTexts().length > messageCount);
		};

		await runActivated(waitForMessage, {
			count: 0,
			settings: { onlyCustomers: NAME_FRAGMENT, vaultUrl: 'http://127.0.0.1:9/closed' },
		});
		expectEqual(
			'if the vault does not answer, no token is renewed, and the chat message says so',
			[listIntegrations().filter(hasNewToken).length, /Is the Vault There\?' failed/.test(getLastText())],
			[0, true],
		);

		// The service refuses to renew the third customer's token. The vault refuses the first customer's new token at every attempt.
		refuseCompany(customers[2], REVOKE_ROUTE);
		inbox.refuseRequests('vaultUrl', 5);
		let executions: unknown[] = [];
		const waitAndSaveExecutions = async (id: string) => {
			await waitForMessage();
			executions = await client.readExecutions(id);
		};
		await runActivated(waitAndSaveExecutions, { count: 0, settings: { onlyCustomers: NAME_FRAGMENT } });

		const renewedIntegrations = listIntegrations().filter(hasNewToken);
		const isRefusedTokenNew = service.world
			.getCompanyData(customers[2]?.companyResourceId ?? '')
			.scimIntegrations.map(hasNewToken);
		expectEqual(
			`${renewedIntegrations.length} of ${tokensBeforeById.size} tokens are new, each renewed once, and the refused token is unchanged`,
			[
				renewedIntegrations.length,
				renewedIntegrations.every(({ tokenVersion }) => tokenVersion === 2),
				isRefusedTokenNew,
			],
			[tokensBeforeById.size - 1, true, [false]],
		);
		// The first customer's token was renewed, but the vault refused the new token.
		const lostTokenPath = service.getRequests(REVOKE_ROUTE)[0]?.path ?? '';
		const validTokens = renewedIntegrations
			.filter(({ resourceId }) => !lostTokenPath.includes(resourceId))
			.map(({ resourceId, companyResourceId, token }) => [resourceId, companyResourceId, token]);
		expectEqual('some tokens are new', validTokens.length > 0, true);
		const vaultSecrets = parseBodies(inbox.getRequests('vaultUrl'));
		expectEqual(
			`the vault has the ${validTokens.length} tokens that are valid now, each once and for the right customer`,
			sortForComparison(
				vaultSecrets.map(({ scimIntegrationId, companyId, secret }) => [scimIntegrationId, companyId, secret]),
			),
			sortForComparison(validTokens),
		);
		const lines = getLastText().split('\n');
		const countLines = (isMatch: (line: string) => boolean) => lines.filter(isMatch).length;
		const isRefusal = (line: string) => line.includes(customers[2]?.companyName ?? '') && line.includes('403');
		expectEqual(
			'the chat message has the result of each token: renewed, refused by the vault, refused by the service',
			[
				countLines((line) => line.endsWith(': renewed')),
				countLines((line) => /old token is void/.test(line)),
				countLines(isRefusal),
			],
			[validTokens.length, 1, 1],
		);
		const tokens = [...listIntegrations().map(({ token }) => token), ...tokensBeforeById.values()];
		expectNone(
			'no token is in the chat',
			tokens.filter((token) => getChatTexts().join().includes(token)),
		);
		// n8n has stored the workflow's title. If the search finds it, the search covers the right places.
		const keptTexts = await findStoredTexts(environment.n8n, [...tokens, 'Rotate SCIM Tokens']);
		expectEqual(`n8n stores none of ${tokens.length} tokens in its log, its database or its folder`, keptTexts, [
			'Rotate SCIM Tokens',
		]);
		expectNone('n8n stores no execution', executions);
	},
);
