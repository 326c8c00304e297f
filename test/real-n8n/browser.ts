/** Finds a browser and opens n8n's editor in it. */
import { chromium, type Page } from 'playwright-core';
import { Problem } from './problem';
import { findProgram, isProgram } from './programs';
import { Editor, PATIENCE } from './editor';

/** Names that the browser goes by on various systems. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe'];

/** Without these the browser asks its makers' servers for updates, or does not start in a container. */
const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The path of a Chromium: what the environment variable CHROMIUM says, or one that is on the PATH. */
function findBrowser(): string {
	const { CHROMIUM = '' } = process.env;
	const found = isProgram(CHROMIUM) ? CHROMIUM : findProgram(NAMES);
	if (found) return found;
	throw new Problem(
		'No Chromium was found. Install it, or set the environment variable CHROMIUM to the path of a Chrome or Chromium.',
	);
}

/** Opens a browser without a window, in a fresh profile, at an n8n, and logs in as a person would. */
export async function openEditor(
	url: string,
	login: { email: string; password: string },
	{ colors = 'light' }: { colors?: 'light' | 'dark' } = {},
): Promise<{ page: Page; editor: Editor; close: () => Promise<void> }> {
	const browser = await chromium.launch({ executablePath: findBrowser(), args: QUIET });
	const page = await browser.newPage({
		viewport: { width: 1440, height: 900 },
		acceptDownloads: true,
		colorScheme: colors,
	});
	page.setDefaultTimeout(PATIENCE);
	await page.goto(`${url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(login.email);
	await page.locator('input[name=password]').fill(login.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/(home|workflow)/);
	return { page, editor: new Editor(page, url), close: () => browser.close() };
}
