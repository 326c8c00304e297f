import { ApiClient } from '../../stand-in/apiClient';
import { bodiesOf, checkExample, textsOf } from './check';
import { keptByN8n } from './secrets';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';

const FORM = {
	Customer: 'Lighthouse Bakery',
	Users: '25',
	'Mail Tenant ID': '77c0de12-tenant',
	'Mail Domains': 'lighthouse.example, lamp.example',
};

checkExample(2, async ({ stage, client, service, inbox, runActive, same }) => {
	const submit = async (form: Record<string, string>) => {
		const body = new FormData();
		Object.values(form).forEach((value, index) => body.append(`field-${index}`, value));
		await fetch(`${stage.n8n.url}/form/onboard-customer`, { method: 'POST', body });
		const before = inbox.of('chatUrl').length;
		await waitUntil('a message in the chat', () => inbox.of('chatUrl').length > before, IN_ANOTHER_PROCESS);
	};
	const text = () => textsOf(inbox.of('chatUrl')).at(-1) ?? '';
	let saved: unknown[] = [];
	const known = service.state.companies.length;

	await runActive(
		async (id) => {
			await submit(FORM);
			const company = service.state.companies.find(({ companyName }) => companyName === FORM.Customer);
			same(
				'one company more, named and sized as in the form',
				[service.state.companies.length - known, company?.numberOfUsers],
				[1, FORM.Users],
			);
			const { scim, emailSettings, clients } = service.state.of(company?.companyResourceId ?? '');
			const [integration, setting, made] = [scim.at(-1), emailSettings.at(-1), clients.at(-1)];
			same(
				'its SCIM integration, its direct email setting with both domains, its API client',
				[integration?.name, setting?.tenantId, setting?.allowedDomains, made?.name],
				['Entra ID', FORM['Mail Tenant ID'], ['lighthouse.example', 'lamp.example'], 'n8n'],
			);

			const [token, secret] = bodiesOf(inbox.of('vaultUrl'));
			same('the vault got two secrets, each once', inbox.of('vaultUrl').length, 2);
			same(
				"the first is the integration's token",
				[token?.secret, token?.companyId],
				[integration?.token, company?.companyResourceId],
			);
			const apiClient = new ApiClient(service, {
				clientId: String(secret?.clientId),
				clientSecret: String(secret?.secret),
				role: '',
			});
			same('with the second one can sign in', (await apiClient.requestToken()).status, 200);

			const ids = [
				company?.companyResourceId,
				integration?.resourceId,
				setting?.resourceId,
				made?.resourceId,
				made?.clientId,
			];
			same(
				'the welcome record has all five IDs',
				ids.filter((each) => !text().includes(each ?? 'missing')),
				[],
			);
			const secrets = [integration?.token ?? '', made?.clientSecret ?? ''];
			same(
				'and no secret',
				secrets.filter((each) => text().includes(each)),
				[],
			);

			service.fault({ kind: 'status-500', route: 'POST /api/companies/direct-email-settings' });
			await submit({ ...FORM, Customer: 'Second Bakery' });
			const second = service.state.companies.at(-1);
			same(
				'a step that fails is told, with what is there',
				["stopped at 'Create Direct Email Setting'", second?.companyResourceId ?? ''].filter(
					(each) => !text().includes(each),
				),
				[],
			);
			same(
				'its SCIM token was handed over, and no client was made',
				[inbox.of('vaultUrl').length, service.state.of(second?.companyResourceId ?? '').clients.length],
				[3, 1],
			);

			saved = await client.executions(id);
			same(
				'n8n keeps neither secret: not in its log, its database, its folder',
				await keptByN8n(stage.n8n, [...secrets, 'Onboard a Customer']),
				['Onboard a Customer'],
			);
		},
		{ count: 0 },
	);
	same('and no execution', saved, []);
});
