import { ApiClient } from '../../stand-in/apiClient';
import { parseBodies, registerCheck, waitInN8n } from './registerCheck';
import { findStoredTexts } from './textsKeptByN8n';

const FORM_VALUES = {
	Customer: 'Lighthouse Bakery',
	Users: '25',
	'Mail Tenant ID': '77c0de12-tenant',
	'Mail Domains': 'lighthouse.example, lamp.example',
};

registerCheck(
	2,
	async ({ environment, client, service, inbox, runActivated, getChatTexts, expectEqual, expectNone }) => {
		const submitForm = async (form: Record<string, string>) => {
			const body = new FormData();
			Object.values(form).forEach((value, index) => body.append(`field-${index}`, value));
			const messageCount = getChatTexts().length;
			await fetch(`${environment.n8n.url}/form/onboard-customer`, { method: 'POST', body });
			await waitInN8n('a message in the chat', () => getChatTexts().length > messageCount);
		};
		const getLastText = () => getChatTexts().at(-1) ?? '';
		const initialCount = service.world.companies.length;
		let executions: unknown[] = [];

		const onboardCustomers = async (id: string) => {
			await submitForm(FORM_VALUES);
			const company = service.world.companies.find(({ companyName }) => companyName === FORM_VALUES.Customer);
			const countAndUsers = [service.world.companies.length - initialCount, company?.numberOfUsers];
			expectEqual('there is one more company, with the name and the number of users from the form', countAndUsers, [
				1,
				FORM_VALUES.Users,
			]);
			const { scimIntegrations, emailSettings, clients } = service.world.getCompanyData(
				company?.companyResourceId ?? '',
			);
			const integration = scimIntegrations.at(-1);
			const emailSetting = emailSettings.at(-1);
			const apiClient = clients.at(-1);
			expectEqual(
				'the company has a SCIM integration, a direct email setting with both domains, and an API client',
				[integration?.name, emailSetting?.tenantId, emailSetting?.allowedDomains, apiClient?.name],
				['Entra ID', FORM_VALUES['Mail Tenant ID'], ['lighthouse.example', 'lamp.example'], 'n8n'],
			);
			const [token, secret] = parseBodies(inbox.getRequests('vaultUrl'));
			expectEqual(
				"the vault gets two secrets, each once; the first is the integration's token",
				[inbox.getRequests('vaultUrl').length, token?.secret, token?.companyId],
				[2, integration?.token, company?.companyResourceId],
			);
			const credentials = { clientId: String(secret?.clientId), clientSecret: String(secret?.secret), role: '' };
			const { status } = await new ApiClient(service, credentials).requestToken();
			expectEqual('the second secret can be used to sign in', status, 200);
			const ids = [company?.companyResourceId, integration?.resourceId, emailSetting?.resourceId];
			expectNone(
				'the welcome message contains all five IDs',
				[...ids, apiClient?.resourceId, apiClient?.clientId].filter((id) => !getLastText().includes(id ?? 'missing')),
			);
			const secrets = [integration?.token ?? '', apiClient?.clientSecret ?? ''];
			expectNone(
				'the welcome message contains no secret',
				secrets.filter((secretText) => getLastText().includes(secretText)),
			);

			service.addFault({ kind: 'status-500', route: 'POST /api/companies/direct-email-settings' });
			await submitForm({ ...FORM_VALUES, Customer: 'Second Bakery' });
			const secondCompanyId = service.world.companies.at(-1)?.companyResourceId ?? '';
			expectNone(
				'the message about a failed step contains the step and the company',
				["stopped at 'Create Direct Email Setting'", 'Second Bakery'].filter((part) => !getLastText().includes(part)),
			);
			const vaultAndClientCounts = [
				inbox.getRequests('vaultUrl').length,
				service.world.getCompanyData(secondCompanyId).clients.length,
			];
			expectEqual(
				'the SCIM token of the second company is in the vault, and no API client was created',
				vaultAndClientCounts,
				[3, 1],
			);
			executions = await client.readExecutions(id);
			// n8n has stored the workflow's title. If the search finds it, the search covers the right places.
			const keptTexts = await findStoredTexts(environment.n8n, [...secrets, 'Onboard a Customer']);
			expectEqual('n8n stores neither secret in its log, its database or its folder', keptTexts, [
				'Onboard a Customer',
			]);
		};
		await runActivated(onboardCustomers, { count: 0 });
		expectNone('n8n stores no execution', executions);
	},
);
