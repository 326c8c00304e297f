import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ORIGIN = 'https://site.example';

/**
 * Finds links and pictures in the built site that lead nowhere: to a missing file, or to a missing heading of a page. VitePress itself
 * checks only that linked pages exist.
 * @param base the path under which the site is published, such as `/docs/`
 * @returns a text for each dead link
 */
export function findDeadLinks(siteFolder: string, base: string): string[] {
	const files = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).map((file) =>
		file.replaceAll('\\', '/'),
	);
	const pages = files.filter((file) => file.endsWith('.html'));
	const htmlByPage = new Map(pages.map((page) => [page, readFileSync(join(siteFolder, page), 'utf8')]));
	const idsByPage = new Map(
		[...htmlByPage].map(([page, html]) => [page, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
	);
	const isDead = (href: string, page: string): boolean => {
		const url = new URL(href, `${ORIGIN}${base}${page.replace(/(index)?\.html$/, '')}`);
		if (url.origin !== ORIGIN) return false;
		if (!url.pathname.startsWith(base)) return true;
		const path = url.pathname.slice(base.length);
		const target = [`${path}.html`, `${path}index.html`].find((file) => htmlByPage.has(file));
		if (target === undefined) return !existsSync(join(siteFolder, path));
		return url.hash !== '' && idsByPage.get(target)?.has(decodeURIComponent(url.hash.slice(1))) === false;
	};
	return [...htmlByPage].flatMap(([page, html]) => {
		const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
		return [...new Set(links)].filter((href) => isDead(href, page)).map((href) => `${page}: ${href}`);
	});
}
