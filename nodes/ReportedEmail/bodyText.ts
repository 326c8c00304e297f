import { unescape } from 'lodash';

import { escapeHtml } from '../core/values';

/** The parts of an HTML body that an email program doesn't show: comments, scripts and styles. A part that isn't closed ends with the body. */
const HIDDEN_PARTS = [/<!--[^]*?(?:-->|$)/g, /<(script|style)\b[^]*?(?:<\/\1[^>]*(?:>|$)|$)/gi];
const LINE_BREAK_TAGS = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*(?:>|$)/gi;
const TAGS = /<[a-z!?/][^>]*(?:>|$)/gi;

/**
 * Extracts the text of an email's HTML body. The email may be an attack, so all tags are removed, and with them all links behind words.
 * A < in the text stays &lt;, so that it doesn't start a tag if a workflow puts the text into a page.
 */
export function extractBodyText(html: string): string {
	const visibleHtml = HIDDEN_PARTS.reduce((remainingHtml, hiddenPart) => remainingHtml.replace(hiddenPart, ''), html);
	const text = escapeHtml(visibleHtml.replace(LINE_BREAK_TAGS, '\n').replace(TAGS, ''));
	const unescapedText = text.replace(/&nbsp;/g, ' ').replace(/&(?:amp|quot|#39);/g, (entity) => unescape(entity));
	const lines = unescapedText.split('\n').map((line) => line.trim());
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
