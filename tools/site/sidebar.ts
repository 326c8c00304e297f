import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** An entry of VitePress's sidebar. */
export interface SidebarItem {
	text: string;
	link?: string;
	collapsed?: boolean;
	items?: SidebarItem[];
}

/** Reads the title of a page. The words "Security Awareness" at the start of a node's title are removed. */
function readTitle(root: string, page: string): string {
	const title = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1] ?? page;
	return title.replace(/^Security Awareness /, '');
}

/** Lists the pages below a page: those beside a README, or those in the folder with the name of the page. */
function listPagesBelow(root: string, page: string): string[] {
	const folder = page.replace(/(\/README)?\.md$/, '');
	if (!existsSync(join(root, folder))) return [];
	const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md') && file !== 'README.md');
	return files.sort().map((file) => `${folder}/${file}`);
}

/** Creates the entry of a page, with the entries of the pages below it. */
function buildItem(root: string, page: string, text = readTitle(root, page)): SidebarItem {
	const link = `/${page.replace(/(README)?\.md$/, '')}`;
	const items = listPagesBelow(root, page).map((pageBelow) => buildItem(root, pageBelow));
	return items.length === 0 ? { text, link } : { text, link, collapsed: true, items };
}

/**
 * Builds the sidebar. First come the pages that the table in docs/README.md links. All other pages and folders of docs are for
 * developers.
 */
export function buildSidebar(root: string): SidebarItem[] {
	const tableRows = readFileSync(join(root, 'docs', 'README.md'), 'utf8').match(/^\|.*\|$/gm) ?? [];
	const links = [...tableRows.join('\n').matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)];
	const userPages = links.map(([, text = '', path = '']) => ({ text, page: posix.join('docs', path) }));
	const topLevelPages = readdirSync(join(root, 'docs'))
		.map((name) => (name.endsWith('.md') ? `docs/${name}` : `docs/${name}/README.md`))
		.filter((page) => page !== 'docs/README.md' && existsSync(join(root, page)));
	const developerPages = topLevelPages.filter((path) => !userPages.some(({ page }) => page === path)).sort();
	return [
		{
			text: 'Documentation',
			link: '/docs/',
			items: userPages.map(({ text, page }) => buildItem(root, page, text)),
		},
		{
			text: 'For developers',
			items: ['CONTRIBUTING.md', ...developerPages].map((page) => buildItem(root, page)),
		},
	];
}
