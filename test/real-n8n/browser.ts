/** Finds a browser and opens n8n's editor in it. */
import { chromium, type Page } from 'playwright-core';
import { Problem } from './problem';
import { findProgram, isProgram } from './programs';
import { Editor, ACTION_TIMEOUT_MS } from './editor';

/** The program names of Chromium, Chrome and Edge on different systems. */
const BROWSER_NAMES = [
	'chromium',
	'chromium-browser',
	'google-chrome',
	'google-chrome-stable',
	'chrome.exe',
	'msedge.exe',
];

/** Arguments that let the browser start in a container and keep it from contacting Google's servers. */
const BROWSER_ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Returns the path of a Chromium: from the environment variable CHROMIUM, or the first on the PATH. @throws Problem if there is none */
function findBrowser(): string {
	const { CHROMIUM = '' } = process.env;
	const program = isProgram(CHROMIUM) ? CHROMIUM : findProgram(BROWSER_NAMES);
	if (program) return program;
	throw new Problem(
		'No Chromium was found. Install it, or set the environment variable CHROMIUM to the path of a Chrome or Chromium.',
	);
}

/** Opens a headless browser with a fresh profile and logs in to n8n through the sign-in page. */
export async function openEditor(
	url: string,
	login: { email: string; password: string },
	{ colors = 'light' }: { colors?: 'light' | 'dark' } = {},
): Promise<{ page: Page; editor: Editor; close: () => Promise<void> }> {
	const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_ARGS });
	const page = await browser.newPage({
		viewport: { width: 1440, height: 900 },
		acceptDownloads: true,
		colorScheme: colors,
	});
	page.setDefaultTimeout(ACTION_TIMEOUT_MS);
	await page.goto(`${url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(login.email);
	await page.locator('input[name=password]').fill(login.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/(home|workflow)/);
	return { page, editor: new Editor(page, url), close: () => browser.close() };
}
