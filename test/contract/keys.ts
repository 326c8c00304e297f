/** What the contract's table says of an operation by its row alone: for whom it is, and whether it changes something. */
import { contractKeys } from '../rules/files';

/** The 85 rows. */
export const KEYS: readonly string[] = [...contractKeys()];

/** What acts with all that the credential may see: accounts (4.2), companies and their groups (4.3). */
export const isOfCredential = (key: string) =>
	/^\w+ \/api\/(account\/|v2\/agent-auth\/|company-groups|companies(\/search(\/export)?|\/my|\/\{resourceId\})?$)/.test(
		key,
	);

/** What changes nothing: a GET, unless it signs out or keeps a code, and a POST that searches, exports or gets. */
export const isRead = (key: string) =>
	key.startsWith('GET ')
		? !/logout|callback/.test(key)
		: /\/(search|export|search-email-\w+|get-widget-datas)(\/|$)/.test(key);

/** What only a Reseller may do (5.5). */
export const isResellers = (key: string) => /^\w+ \/api\/(company-groups|companies\/search|companies$)/.test(key);

/** What takes a body. */
export const hasBody = (key: string) => /^(POST|PUT) /.test(key) && !/\/(send|revoke)$|make-default/.test(key);
