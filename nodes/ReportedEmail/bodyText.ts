import { unescape } from 'lodash';

import { escapeHtml } from '../core/values';

/**
 * Match the parts of an HTML body that an email program doesn't show: comments, scripts and styles. A part that is never closed reaches to
 * the end of the body.
 */
const HIDDEN_PART_PATTERNS = [/<!--[^]*?(?:-->|$)/g, /<(script|style)\b[^]*?(?:<\/\1[^>]*(?:>|$)|$)/gi];

/** Matches the tags after which the text continues on a new line. */
const LINE_END_PATTERN = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*(?:>|$)/gi;

const TAG_PATTERN = /<[a-z!?/][^>]*(?:>|$)/gi;

/**
 * Extracts the text of an email's HTML body. The email may be an attack, so all tags are removed, including the links behind words. A < in
 * the text becomes or stays &lt;, so that it can't start a tag if a workflow puts the text into a web page.
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
