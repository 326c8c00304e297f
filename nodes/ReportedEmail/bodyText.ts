import { unescape } from 'lodash';

import { escapeHtml } from '../core/values';

/** What a mail does not show: comments, and what stands in scripts and styles. One that does not end goes to the end. */
const UNSEEN = [/<!--[^]*?(?:-->|$)/g, /<(script|style)\b[^]*?(?:<\/\1[^>]*(?:>|$)|$)/gi];
const LINE_ENDS = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*(?:>|$)/gi;
const TAGS = /<[a-z!?/][^>]*(?:>|$)/gi;

/**
 * The text of a mail's body, which may be an attack: no tag is left in it, and no link behind a word. What is < in the text stays
 * &lt;, so that the text is none either where somebody puts it into a page.
 */
export function bodyText(html: string): string {
	const seen = UNSEEN.reduce((all, unseen) => all.replace(unseen, ''), html);
	const text = escapeHtml(seen.replace(LINE_ENDS, '\n').replace(TAGS, ''));
	const readable = text.replace(/&nbsp;/g, ' ').replace(/&(?:amp|quot|#39);/g, (entity) => unescape(entity));
	const lines = readable.split('\n').map((line) => line.trim());
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
