import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Returns true for the pages of the site: those in the repository's root and those in docs. */
const isPage = (path: string): boolean => /^(docs\/.+|[^/]+)\.md$/.test(path);

/**
 * Resolves a link of a page. A link to a README leads to the index page of its folder. A link to a file that isn't a page leads to
 * the repository on GitHub. A link to a missing file is returned unchanged, so that the build reports it.
 * @param page the path of the page, relative to the repository's root
 */
export function resolveLink(
	href: string,
	page: string,
	{ root, repositoryUrl }: { root: string; repositoryUrl: string },
): string {
	if (/^([a-z]+:|#)/.test(href)) return href;
	const [path = '', anchor] = href.split('#');
	const target = posix.join(posix.dirname(page.replaceAll('\\', '/')), path);
	if (isPage(target)) return href.replace(/README\.md(?=#|$)/, 'index.md');
	if (!existsSync(join(root, target))) return href;
	const view = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
	const url = `${repositoryUrl}/${view}/main/${target}`;
	return anchor === undefined ? url : `${url}#${anchor}`;
}
