/** Checks the parts of the docs site that VitePress doesn't have: the sidebar, links to the repository, and the search for dead links. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { PACKAGE_ROOT } from '../../test/n8n-core/package';
import { findDeadLinks } from './deadLinks';
import { resolveLink } from './links';
import { buildSidebar, type SidebarItem } from './sidebar';
import { buildSlug } from './slug';

const repositoryUrl = 'https://github.com/owner/name';

test.each([
	['a page', 'docs/jobs.md', 'examples/01-nightly-reports.md#set-up', 'examples/01-nightly-reports.md#set-up'],
	['the README of a folder', 'docs/jobs.md', 'nodes/README.md#fields', 'nodes/index.md#fields'],
	['the README', 'docs/jobs.md', '../README.md', '../index.md'],
	[
		'a workflow',
		'docs/examples/01-nightly-reports.md',
		'../../examples/demo.json',
		`${repositoryUrl}/blob/main/examples/demo.json`,
	],
	['a folder', 'CONTRIBUTING.md', 'test/cases', `${repositoryUrl}/tree/main/test/cases`],
	[
		'a heading outside the site',
		'CONTRIBUTING.md',
		'test/README.md#words',
		`${repositoryUrl}/blob/main/test/README.md#words`,
	],
	['a missing file', 'docs/jobs.md', '../examples/missing.json', '../examples/missing.json'],
	['a heading of the page', 'docs/jobs.md', '#more-jobs', '#more-jobs'],
	['another site', 'docs/jobs.md', 'https://n8n.io/README.md', 'https://n8n.io/README.md'],
])('a link to %s', (_, page, href, expected) => {
	expect(resolveLink(href, page, { root: PACKAGE_ROOT, repositoryUrl })).toBe(expected);
});

test.each([
	['What n8n 3 needs', 'what-n8n-3-needs'],
	["n8n's own command", 'n8ns-own-command'],
	['1. Email each customer: who clicked?', '1-email-each-customer-who-clicked'],
	['Resend & remind', 'resend--remind'],
])('the heading "%s" has the anchor that GitHub gives it', (heading, expected) => {
	expect(buildSlug(heading)).toBe(expected);
});

test('the sidebar has every page of docs once: first those for users, in the order of docs/README.md', () => {
	const listLinks = (items: SidebarItem[] = []): string[] =>
		items.flatMap(({ link = '', items: childItems }) => [link, ...listLinks(childItems)]);
	const [userGroup, developerGroup] = buildSidebar(PACKAGE_ROOT);
	const userLinks = listLinks(userGroup?.items);
	const developerLinks = listLinks(developerGroup?.items);

	expect(userLinks.slice(0, 3)).toEqual(['/docs/first-jobs', '/docs/credential', '/docs/jobs']);
	expect(userLinks).toContain('/docs/nodes/company');
	expect(developerLinks).toContain('/docs/facts/n8n');
	const pages = readdirSync(join(PACKAGE_ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.md'))
		.map((path) => `/docs/${path.replaceAll('\\', '/').replace(/(README)?\.md$/, '')}`);
	const allLinks = ['/docs/', ...userLinks, ...developerLinks];
	expect(allLinks.filter((link) => link !== '/CONTRIBUTING').sort()).toEqual(pages.sort());
});

describe('links of the built site', () => {
	let folder = '';
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'site-'));
	});
	afterEach(() => {
		rmSync(folder, { recursive: true });
	});
	const writeSite = (files: Record<string, string>) => {
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		}
	};

	test('links that lead to a page, a heading or a file are accepted', () => {
		writeSite({
			'index.html': '<a href="./docs/jobs#more">a</a><a href="/base/docs/">b</a><a href="https://n8n.io/#x">c</a>',
			'docs/index.html': '<a href="./jobs">d</a><a href="./../">e</a><img src="/base/assets/a.png">',
			'docs/jobs.html': '<h2 id="more">f</h2><a href="#more">g</a>',
			'assets/a.png': '',
		});
		expect(findDeadLinks(folder, '/base/')).toEqual([]);
	});

	test('each link that leads nowhere is reported with its page', () => {
		writeSite({
			'index.html': '<a href="./docs/missing">a</a><img src="/base/b.png"><a href="/docs/jobs">c</a>',
			'docs/jobs.html': '<h2 id="more">d</h2><a href="#less">e</a><a href="./../#more">f</a>',
		});
		expect(findDeadLinks(folder, '/base/').sort()).toEqual([
			'docs/jobs.html: #less',
			'docs/jobs.html: ./../#more',
			'index.html: ./docs/missing',
			'index.html: /base/b.png',
			'index.html: /docs/jobs',
		]);
	});
});
