import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { firstAvailable, undefinedIfAbsent } from './sources';
import { readPickerPage, type Listing } from './listing';
import { picker } from './picker';

/**
 * A field that chooses one of a company's settings. Their search is not part of the contract; where a deployment lacks
 * it, the ID is typed.
 */
function settingPicker(rules: Label & { method: string; thing: string; listing: Listing }): Field<string> {
	const { listing, thing } = rules;
	const field = picker({
		...rules,
		search: firstAvailable(
			[async (...asked) => await undefinedIfAbsent(async () => await readPickerPage(listing, ...asked))],
			`This platform does not list ${thing}s: choose 'By ID' and enter the one it gave when the setting was created`,
		),
	});
	return { ...field, parse: async (raw, item) => (await field.parse(raw, item)).id };
}

const DESCRIPTION = 'Choose it from the list, or enter the ID that the platform gave when the setting was created';
const NAMES = { id: ['resourceId', 'id'], name: ['name'], scoped: true } as const;

/** The field that chooses a single sign-on setting of the chosen customer (deployment shapes: saml-settings/search). */
export const samlSettingPicker = (): Field<string> =>
	settingPicker({
		displayName: 'SAML Setting ID',
		description: DESCRIPTION,
		method: 'searchSamlSettings',
		thing: 'SAML setting',
		listing: { ...NAMES, contract: 'POST /api/companies/saml-settings/search' },
	});

/**
 * The field that chooses a direct email setting of the chosen customer (deployment shapes:
 * direct-email-settings/search).
 */
export const directEmailSettingPicker = (): Field<string> =>
	settingPicker({
		displayName: 'Direct Email Setting ID',
		description: DESCRIPTION,
		method: 'searchDirectEmailSettings',
		thing: 'direct email setting',
		listing: { ...NAMES, contract: 'POST /api/companies/direct-email-settings/search', mayBeAlone: true },
	});
