// Configures the docs site. Its pages are Markdown files of the repository: those in the root, such as README.md, and those in docs.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { findDeadLinks } from '../../deadLinks';
import { resolveLink } from '../../links';
import { buildSidebar } from '../../sidebar';
import { buildSlug } from '../../slug';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const { description, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');
const icon = readFileSync(join(root, 'icons', 'securityAwareness.svg'), 'utf8');

/** Escapes the braces of n8n's expressions, because Vue would evaluate them. */
const escapeBraces = (html) => html.replaceAll('{{', '&#123;&#123;');

/** Changes how markdown-it renders links, text and HTML, because the pages are written for GitHub. */
function adaptMarkdown(md) {
	const { rules } = md.renderer;
	const { link_open: renderLink, text: renderText, code_inline: renderCode } = rules;
	rules.link_open = (tokens, index, options, env, self) => {
		const page = relative(root, env.path);
		tokens[index].attrSet('href', resolveLink(tokens[index].attrGet('href'), page, { root, repositoryUrl }));
		return renderLink(tokens, index, options, env, self);
	};
	rules.text = (...parameters) => escapeBraces(renderText(...parameters));
	rules.code_inline = (...parameters) => escapeBraces(renderCode(...parameters));
	// The pages have no HTML except comments. What looks like a tag is a placeholder, such as <version>.
	rules.html_inline = (tokens, index) => {
		const { content } = tokens[index];
		return /^<(?!!--)/.test(content) ? escapeBraces(md.utils.escapeHtml(content)) : content;
	};
	rules.html_block = rules.html_inline;
}

/**
 * Keeps the preview from prebundling VitePress's packages. Vite searches for them in the repository's root, where they aren't
 * installed, and warns.
 */
function turnOffPrebundling({ optimizeDeps }) {
	optimizeDeps.include = [];
}

export default defineConfig({
	title: 'Security Awareness nodes for n8n',
	description,
	lang: 'en',
	head: [
		['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
		// Leaves more room for the text of a table on a phone.
		['style', {}, '@media (max-width: 640px) { main .vp-doc :is(th, td) { padding: 6px 8px; } }'],
	],
	// GitHub Pages publishes the site under the repository's name.
	base: `/${repositoryUrl.split('/').at(-1)}/`,
	cleanUrls: true,
	srcDir: root,
	srcExclude: ['!(docs)/**/*'],
	rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
	outDir: join(root, '.cache', 'site'),
	cacheDir: join(root, '.cache', 'vitepress'),
	markdown: { anchor: { slugify: buildSlug }, attrs: { disable: true }, config: adaptMarkdown },
	vite: {
		// The index of the search is larger than Vite's limit.
		build: { chunkSizeWarningLimit: 2000 },
		plugins: [{ name: 'no-prebundling', configResolved: turnOffPrebundling }],
	},
	themeConfig: {
		siteTitle: 'Security Awareness',
		nav: [
			{ text: 'First jobs', link: '/docs/first-jobs' },
			{ text: 'Examples', link: '/docs/examples/' },
			{ text: 'Nodes', link: '/docs/nodes/' },
		],
		sidebar: buildSidebar(root),
		outline: [2, 3],
		search: { provider: 'local' },
		socialLinks: [{ icon: 'github', link: repositoryUrl }],
	},
	buildEnd({ outDir, site }) {
		const deadLinks = findDeadLinks(outDir, site.base);
		if (deadLinks.length > 0) throw new Error(`These links lead nowhere:\n${deadLinks.join('\n')}`);
	},
});
