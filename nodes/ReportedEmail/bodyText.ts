import { unescape } from 'lodash';

import { escapeHtml } from '../core/values';

/**
 * The patterns of HTML that an email program doesn't show: comments, scripts and styles. If the closing tag is missing, everything up to
 * the end of the body counts as hidden.
 */
const HIDDEN_PART_PATTERNS = [/<!--[^]*?(?:-->|$)/g, /<(script|style)\b[^]*?(?:<\/\1[^>]*(?:>|$)|$)/gi];

/** Matches the tags after which a new line begins. */
const LINE_END_PATTERN = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*(?:>|$)/gi;

const TAG_PATTERN = /<[a-z!?/][^>]*(?:>|$)/gi;

/**
 * Extracts the text of an email's HTML body. The email may be an attack, so all tags are removed, and with them the URLs of links. A <
 * in the text becomes or stays &lt;, so that it can't start a tag if a workflow puts the text into a web page.
 */
export function extractBodyText(html: string): string {
	const visibleHtml = HIDDEN_PART_PATTERNS.reduce((remainingHtml, pattern) => remainingHtml.replace(pattern, ''), html);
	const escapedText = escapeHtml(visibleHtml.replace(LINE_END_PATTERN, '\n').replace(TAG_PATTERN, ''));
	const readableText = escapedText.replace(/&nbsp;/g, ' ').replace(/&(?:amp|quot|#39);/g, (entity) => unescape(entity));
	const lines = readableText.split('\n').map((line) => line.trim());
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
