/** The fixture of the tests of the Human Risk node: a stand-in with a few customers, and functions that run operations. */
import { omit } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessHumanRisk } from '../../nodes/HumanRisk/SecurityAwarenessHumanRisk.node';
import type { Period } from '../cases/humanRiskExpectation';
import type { RunResult } from '../n8n-core';
import { createNodeFixture, getJson, requireValue } from '../n8n-core/nodeFixture';
import type { Company } from '../stand-in/seed';

export const TIMEZONE = 'Europe/Istanbul';
export const EVERY = { companyScope: 'every' };
export const CUSTOM_PERIOD = { period: 'custom', periodStart: '2025-07-01', periodEnd: '2026-12-31' };
const parseDay = (day: string) => DateTime.fromISO(day, { zone: TIMEZONE });
/** The period of `CUSTOM_PERIOD`. A period that ends in the future is measured until now. */
export const period: Period = {
	from: parseDay('2025-07-01').toMillis(),
	until: Math.min(parseDay('2026-12-31').endOf('day').toMillis() + 1, Date.now()),
};
/** Formats a time as a day of the tests' time zone: "2026-10-03". */
export const formatDay = (ms: number): string => DateTime.fromMillis(ms, { zone: TIMEZONE }).toFormat('yyyy-MM-dd');

/** Creates the fixture. */
export function createHumanRiskFixture() {
	const fixture = createNodeFixture({ profile: 'deployed', companyCount: 8 });
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
	const getCompany = (index: number): Company => requireValue(fixture.standIn.world.companies[index]);
	const getData = (index: number) => fixture.standIn.world.getCompanyData(getCompany(index).companyResourceId);

	/** Changes the responses of some routes. */
	const changeResponses = (routes: RegExp, change: (envelope: unknown) => unknown) =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route = '' }) => (routes.test(route) ? change(envelope) : envelope),
		});

	const run = (resource: string, operation: string, parameters: IDataObject): Promise<RunResult> =>
		fixture.run(
			SecurityAwarenessHumanRisk,
			{ resource, operation, ...CUSTOM_PERIOD, ...parameters },
			{ settings: { timezone: TIMEZONE } },
		);

	/** Runs an operation for one company. */
	const runFor = (index: number, resource: string, operation: string, parameters: IDataObject = {}) =>
		run(resource, operation, {
			companyScope: 'one',
			company: { __rl: true, mode: 'list', value: getCompany(index).companyResourceId, cachedResultName: 'A' },
			...parameters,
		});

	return { fixture, getCompany, getData, changeResponses, run, runFor };
}

export const getItems = ({ items }: RunResult): IDataObject[] => getJson(items);

/** Returns an item without its texts and the fields of the company. */
export const omitTexts = (item: IDataObject): IDataObject =>
	omit(item, ['gaps', 'nextSteps', 'companyName', 'companyResourceId']);

export const sortById = (items: IDataObject[]): IDataObject[] =>
	items.toSorted((first, second) =>
		String(first.targetUserResourceId).localeCompare(String(second.targetUserResourceId)),
	);
