import { ApiClient } from '../../stand-in/apiClient';
import { parseBodies, registerCheck, waitInN8n } from './check';
import { findTextsKeptByN8n } from './secrets';

const FORM = {
	Customer: 'Lighthouse Bakery',
	Users: '25',
	'Mail Tenant ID': '77c0de12-tenant',
	'Mail Domains': 'lighthouse.example, lamp.example',
};

registerCheck(2, async ({ environment: stage, client, service, inbox, runActivated: runActive, getChatTexts: texts, expectEqual: same, expectNone: none }) => {
	const submitForm = async (form: Record<string, string>) => {
		const body = new FormData();
		Object.values(form).forEach((value, index) => body.append(`field-${index}`, value));
		const before = texts().length;
		await fetch(`${stage.n8n.url}/form/onboard-customer`, { method: 'POST', body });
		await waitInN8n('a message in the chat', () => texts().length > before);
	};
	const getLastText = () => texts().at(-1) ?? '';
	const known = service.state.companies.length;
	let saved: unknown[] = [];

	const onboardCustomers = async (id: string) => {
		await submitForm(FORM);
		const company = service.state.companies.find(({ companyName }) => companyName === FORM.Customer);
		const size = [service.state.companies.length - known, company?.numberOfUsers];
		same('one company more, named and sized as in the form', size, [1, FORM.Users]);
		const { scimIntegrations: scim, emailSettings, clients } = service.state.getCompanyData(company?.companyResourceId ?? '');
		const integration = scim.at(-1);
		const setting = emailSettings.at(-1);
		const made = clients.at(-1);
		same(
			'its SCIM integration, its direct email setting with both domains, its API client',
			[integration?.name, setting?.tenantId, setting?.allowedDomains, made?.name],
			['Entra ID', FORM['Mail Tenant ID'], ['lighthouse.example', 'lamp.example'], 'n8n'],
		);
		const [token, secret] = parseBodies(inbox.getRequests('vaultUrl'));
		same(
			"the vault got two secrets, each once; the first is the integration's token",
			[inbox.getRequests('vaultUrl').length, token?.secret, token?.companyId],
			[2, integration?.token, company?.companyResourceId],
		);
		const given = { clientId: String(secret?.clientId), clientSecret: String(secret?.secret), role: '' };
		const { status } = await new ApiClient(service, given).requestToken();
		same('with the second one can sign in', status, 200);
		const ids = [company?.companyResourceId, integration?.resourceId, setting?.resourceId];
		none(
			'the welcome record has all five IDs',
			[...ids, made?.resourceId, made?.clientId].filter((each) => !getLastText().includes(each ?? 'missing')),
		);
		const secrets = [integration?.token ?? '', made?.clientSecret ?? ''];
		none(
			'and no secret',
			secrets.filter((each) => getLastText().includes(each)),
		);

		service.addFault({ kind: 'status-500', route: 'POST /api/companies/direct-email-settings' });
		await submitForm({ ...FORM, Customer: 'Second Bakery' });
		const second = service.state.companies.at(-1)?.companyResourceId ?? '';
		none(
			'a step that fails is told, with what is there',
			["stopped at 'Create Direct Email Setting'", 'Second Bakery'].filter((each) => !getLastText().includes(each)),
		);
		const left = [inbox.getRequests('vaultUrl').length, service.state.getCompanyData(second).clients.length];
		same('its SCIM token was handed over, and no client was made', left, [3, 1]);
		saved = await client.readExecutions(id);
		// The title shows that one looks in the right place.
		const kept = await findTextsKeptByN8n(stage.n8n, [...secrets, 'Onboard a Customer']);
		same('n8n keeps neither secret: not in its log, its database, its folder', kept, ['Onboard a Customer']);
	};
	await runActive(onboardCustomers, { count: 0 });
	none('and no execution', saved);
});
