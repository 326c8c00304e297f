import type { ReceivedRequest } from '../inbox';
import { startDemoServer, type DemoServer } from '.';

let server: DemoServer;
beforeEach(async () => {
	server = await startDemoServer();
});
afterEach(async () => server.close());

const ORIGIN = 'http://127.0.0.1:5690';
const buildChatMessage = (body: unknown): ReceivedRequest => ({ method: 'POST', path: '/chatUrl', headers: {}, body });
const readPage = async (path: string) => (await fetch(server.url + path)).text();

test('the page shows an Adaptive Card as text, without running HTML in it', async () => {
	const block = { type: 'TextBlock', text: 'Overdue: 3\n- <script>alert(1)</script>' };
	const card = {
		contentType: 'application/vnd.microsoft.card.adaptive',
		content: { type: 'AdaptiveCard', body: [block] },
	};
	server.addRequest(buildChatMessage({ type: 'message', attachments: [card] }));

	expect(await readPage('/')).toContain('<a href="/messages/0">Overdue: 3</a>');
	const page = await readPage('/messages/0');
	expect(page).toContain('- &lt;script&gt;alert(1)&lt;/script&gt;');
	expect(page).not.toContain('<script>');
});

test('the newest message is at the top of the list', async () => {
	expect(await readPage('/')).toContain('No workflow has sent anything yet');
	for (const text of ['First', 'Second']) server.addRequest(buildChatMessage({ text }));
	expect(await readPage('/')).toMatch(/Second.*First/s);
});

test('a request that is no chat message is shown as it was sent', async () => {
	server.addRequest({ method: 'PUT', path: '/vaultUrl', headers: {}, body: { name: 'token', value: 1 } });
	expect(await readPage('/')).toContain('PUT /vaultUrl');
	expect(await readPage('/messages/0')).toContain('&quot;name&quot;: &quot;token&quot;');
});

test("n8n's editor may read the templates from its own origin, and has none before they are offered", async () => {
	const preflight = await fetch(`${server.url}/templates/search`, {
		method: 'OPTIONS',
		headers: { origin: ORIGIN, 'access-control-request-headers': 'n8n-version' },
	});
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get('access-control-allow-headers')).toContain('n8n-version');

	const response = await fetch(`${server.url}/templates/search?page=1&limit=20`, { headers: { origin: ORIGIN } });
	expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
	expect(response.headers.get('access-control-allow-credentials')).toBe('true');
	expect(await response.json()).toEqual({ totalWorkflows: 0, workflows: [] });
	expect((await fetch(`${server.url}/templates/workflows/7`)).status).toBe(404);
});

test('the pages of the inbox are not readable from other origins', async () => {
	const { headers } = await fetch(server.url, { headers: { origin: ORIGIN } });
	expect(headers.get('access-control-allow-origin')).toBeNull();
});
