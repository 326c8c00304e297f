import { ApiClient } from '../../stand-in/apiClient';
import { bodiesOf, checkExample, until } from './check';
import { keptByN8n } from './secrets';

const FORM = {
	Customer: 'Lighthouse Bakery',
	Users: '25',
	'Mail Tenant ID': '77c0de12-tenant',
	'Mail Domains': 'lighthouse.example, lamp.example',
};

checkExample(2, async ({ stage, client, service, inbox, runActive, texts, same, none }) => {
	const submit = async (form: Record<string, string>) => {
		const body = new FormData();
		Object.values(form).forEach((value, index) => body.append(`field-${index}`, value));
		const before = texts().length;
		await fetch(`${stage.n8n.url}/form/onboard-customer`, { method: 'POST', body });
		await until('a message in the chat', () => texts().length > before);
	};
	const text = () => texts().at(-1) ?? '';
	const known = service.state.companies.length;
	let saved: unknown[] = [];

	const happen = async (id: string) => {
		await submit(FORM);
		const company = service.state.companies.find(({ companyName }) => companyName === FORM.Customer);
		const size = [service.state.companies.length - known, company?.numberOfUsers];
		same('one company more, named and sized as in the form', size, [1, FORM.Users]);
		const { scim, emailSettings, clients } = service.state.of(company?.companyResourceId ?? '');
		const integration = scim.at(-1);
		const setting = emailSettings.at(-1);
		const made = clients.at(-1);
		same(
			'its SCIM integration, its direct email setting with both domains, its API client',
			[integration?.name, setting?.tenantId, setting?.allowedDomains, made?.name],
			['Entra ID', FORM['Mail Tenant ID'], ['lighthouse.example', 'lamp.example'], 'n8n'],
		);
		const [token, secret] = bodiesOf(inbox.of('vaultUrl'));
		same(
			"the vault got two secrets, each once; the first is the integration's token",
			[inbox.of('vaultUrl').length, token?.secret, token?.companyId],
			[2, integration?.token, company?.companyResourceId],
		);
		const given = { clientId: String(secret?.clientId), clientSecret: String(secret?.secret), role: '' };
		const { status } = await new ApiClient(service, given).requestToken();
		same('with the second one can sign in', status, 200);
		const ids = [company?.companyResourceId, integration?.resourceId, setting?.resourceId];
		none(
			'the welcome record has all five IDs',
			[...ids, made?.resourceId, made?.clientId].filter((each) => !text().includes(each ?? 'missing')),
		);
		const secrets = [integration?.token ?? '', made?.clientSecret ?? ''];
		none(
			'and no secret',
			secrets.filter((each) => text().includes(each)),
		);

		service.fault({ kind: 'status-500', route: 'POST /api/companies/direct-email-settings' });
		await submit({ ...FORM, Customer: 'Second Bakery' });
		const second = service.state.companies.at(-1)?.companyResourceId ?? '';
		none(
			'a step that fails is told, with what is there',
			["stopped at 'Create Direct Email Setting'", 'Second Bakery'].filter((each) => !text().includes(each)),
		);
		const left = [inbox.of('vaultUrl').length, service.state.of(second).clients.length];
		same('its SCIM token was handed over, and no client was made', left, [3, 1]);
		saved = await client.executions(id);
		// The title shows that one looks in the right place.
		const kept = await keptByN8n(stage.n8n, [...secrets, 'Onboard a Customer']);
		same('n8n keeps neither secret: not in its log, its database, its folder', kept, ['Onboard a Customer']);
	};
	await runActive(happen, { count: 0 });
	none('and no execution', saved);
});
