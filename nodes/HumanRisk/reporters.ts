import { max } from 'lodash';

import { defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { listResponse } from '../core/response/listResponse';
import { parseTimeMs } from '../core/values';
import { hasMaskedEmail, readEmailKey } from './people';
import { addEmptyFiguresHint, readWholeList } from './readOrAddHint';

/** The list of the people who have the add-in with which they report emails (deployment onboarding 4). No node offers it alone. */
export const getReportersOperation = defineOperation({
	value: 'getReporters',
	name: 'Get Reporters',
	action: 'Get reporters',
	description: 'List the people who have the report add-in',
	endpoint: 'POST /api/phishing-reporter/search',
	scope: 'companies',
	response: listResponse({ identity: [] }),
});

/** The people of a company who have the report add-in. */
export interface Reporters {
	/** The time when the add-in was last seen, in ms since 1970, by email address; null if it is unknown. */
	lastSeenByEmail: ReadonlyMap<string, number | null>;
	/** The email addresses of the people who have a device whose time is unknown. */
	emailsWithUnknownTime: ReadonlySet<string>;
	/** True if the list masks email addresses, so that people without an entry may have the add-in. */
	hasMaskedPeople: boolean;
}

const TOPIC = 'the report add-in';

/**
 * Reads which people of the company have the report add-in. If a person has it on several devices, the device that was seen last counts.
 * @returns undefined if the list can't be read. It is also undefined if the list is empty, because the company may use another add-in.
 * @throws RequestError
 */
export async function readReporters(helpers: OperationHelpers): Promise<Reporters | undefined> {
	// A row is a device, and no document says that the rows of a person's devices have different IDs.
	const options = { identity: [] };
	const rows = await readWholeList(
		TOPIC,
		'the list of people with the add-in',
		helpers,
		getReportersOperation,
		{},
		options,
	);
	if (rows?.length === 0) addEmptyFiguresHint(TOPIC, 'the list of people with the add-in is empty', helpers.context);
	if (!rows || rows.length === 0) return undefined;
	const lastSeenByEmail = new Map<string, number | null>();
	const emailsWithUnknownTime = new Set<string>();
	for (const row of rows) {
		const email = readEmailKey(row);
		if (email === undefined) continue;
		const lastSeen = parseTimeMs(row.lastSeen);
		if (lastSeen === null) emailsWithUnknownTime.add(email);
		// Lodash's `max` ignores null, so a known time counts.
		lastSeenByEmail.set(email, max([lastSeen, lastSeenByEmail.get(email)]) ?? null);
	}
	const hasMaskedPeople = rows.some(hasMaskedEmail);
	if (hasMaskedPeople) addEmptyFiguresHint(TOPIC, 'the platform masks email addresses', helpers.context);
	return { lastSeenByEmail, emailsWithUnknownTime, hasMaskedPeople };
}
