import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../answer/answer';
import { collection } from '../form/collection';
import { dateTime } from '../form/date';
import type { Field } from '../form/field';
import { checkOrder } from '../form/period';
import {
	relativePeriodName,
	relativePeriodOf,
	relativePeriods,
	windowOfPeriod,
	type RelativePeriod,
} from '../form/relativePeriod';
import { parseText } from '../form/text';
import { enteredIn, isRecord } from '../form/value';
import { InvalidInput } from '../transport/errors';
import { firstAccepted } from '../transport/firstAccepted';
import type { Service } from '../transport/service';
import { contains } from './listing';
import { picker } from './picker';

/** The dates of a report, ISO 8601 in UTC; null where there is none. */
type Dates = { startDate: string | null; endDate: string | null };

/** What was chosen as the period: one that is reckoned from today, or a platform's own word. */
type Chosen =
	| { period: RelativePeriod; dates: Dates }
	/** The dates are those of the period that the word means here, if it means one. */
	| { word: string; dates?: Dates };

/**
 * The word for a period with dates. The contract does not list the words (4.10), and a platform may ignore the dates
 * without one.
 */
const WITH_DATES = 'Custom';

/** The first and the last moment of a period. */
function datesOf(period: RelativePeriod, timezone: string): Dates {
	const now = Date.now();
	const { from, until } = windowOfPeriod(period, timezone, now);
	// A period that is over ends before the next one begins.
	const last = until < now ? until - 1 : until;
	return { startDate: new Date(from).toISOString(), endDate: new Date(last).toISOString() };
}

function datePeriodPicker(): Field<Chosen | undefined> {
	const field = picker({
		displayName: 'Date Period',
		description: "A period up to today, in the workflow's time zone; or, By Name, the platform's own word for one",
		method: 'searchDatePeriods',
		thing: 'period',
		typed: 'By Name',
		example: WITH_DATES,
		required: false,
		search: async (_filled, searchText) => ({
			entries: relativePeriods()
				.map(({ name, value }) => ({ name, id: value }))
				.filter(contains(searchText)),
			isLast: true,
		}),
	});
	return {
		...field,
		parse: (raw, { timezone }) => {
			const word = parseText(enteredIn(raw), {});
			if (word === '') return undefined;
			const period = relativePeriodOf(word);
			if (period === undefined) return { word };
			const dates = datesOf(period, timezone);
			return isRecord(raw) && raw.mode === 'list' ? { period, dates } : { word, dates };
		},
	};
}

/** The fields for the period of a report (contract 4.10). */
export const period = {
	datePeriod: datePeriodPicker(),
	startDate: dateTime({ displayName: 'Start Date', description: 'The first moment to report on' }),
	endDate: dateTime({ displayName: 'End Date', description: 'The last moment to report on' }),
};

/** The field 'Report Period', for reports that have no other options. */
export const reportPeriod = collection({ displayName: 'Report Period', button: 'Add Date', fields: period });

/** A period in a form of the request body. */
type PeriodBody = Dates & { datePeriod?: string };

/** Its forms, the preferred first. */
type PeriodForms = [PeriodBody, ...PeriodBody[]];

/**
 * The forms of a period in the request body, the preferred first. A platform that does not know the word gets the dates
 * alone.
 * @param collection the name of the collection with these fields, for the error
 * @throws InvalidInput for an end before the start, or for dates beside a period that is reckoned
 */
export function periodsOf(
	chosen: { datePeriod?: Chosen | undefined; startDate?: string | undefined; endDate?: string | undefined },
	collection = 'reportOptions',
): PeriodForms {
	const { datePeriod, startDate, endDate } = chosen;
	checkOrder(startDate, endDate, [collection, 'endDate'], 'start date');
	const entered = { startDate: startDate ?? null, endDate: endDate ?? null };
	const hasDates = startDate !== undefined || endDate !== undefined;
	if (!datePeriod) return [entered];
	if ('period' in datePeriod) {
		if (hasDates)
			throw new InvalidInput(
				`is '${relativePeriodName(datePeriod.period)}', so there can be no other dates`,
				[collection, 'datePeriod'],
				"Remove 'Start Date' and 'End Date', or remove 'Date Period'.",
			);
		return withDates(datePeriod.dates);
	}
	const { word, dates } = datePeriod;
	const byWord = { datePeriod: word, ...entered };
	if (hasDates) return [byWord, entered];
	return dates ? [byWord, ...withDates(dates)] : [byWord];
}

const withDates = (dates: Dates): PeriodForms => [{ datePeriod: WITH_DATES, ...dates }, dates];

/** The words that a service was seen to refuse, for one run. */
const refusedWords = new WeakMap<Service, Set<string>>();

/**
 * Asks for a report of a period, in its next form if the service refuses one.
 * @param session its hint tells a person that the platform does not know the word
 * @throws ServiceError
 */
export async function inPeriod<T>(
	forms: PeriodForms,
	send: (overrides: { body: IDataObject }) => Promise<T>,
	{ service, hint }: Pick<Session, 'service' | 'hint'>,
): Promise<T> {
	const refused = refusedWords.get(service) ?? new Set<string>();
	refusedWords.set(service, refused);
	const [{ datePeriod: first }] = forms;
	const left = forms.filter(({ datePeriod = '' }, index) => index === forms.length - 1 || !refused.has(datePeriod));
	return await firstAccepted(
		...left.map((form, index) => async () => {
			const result = await send({ body: { datePeriod: undefined, ...form } });
			for (const { datePeriod } of left.slice(0, index)) if (datePeriod !== undefined) refused.add(datePeriod);
			if (first !== undefined && first !== WITH_DATES && form.datePeriod !== first)
				hint(`The platform does not know the period '${first}', so its dates were sent instead.`);
			return result;
		}),
	);
}
