import type { Company } from '../../stand-in/seed';
import { parseCsvRows, readHtmlRows, readPack } from './evidencePack';
import type { ExampleContext } from './registerCheck';

/**
 * Checks the packs of two customers of which the platform doesn't show everything: such figures are marked as not measured, and are not 0.
 * @param withoutSmishing the customer whose smishing simulations the platform doesn't show
 * @param withoutReach the customer of which the platform shows no standards of trainings, no verified domains and no report add-in
 */
export async function checkUnmeasured(
	{ folder, expectEqual }: ExampleContext,
	withoutSmishing: Company | undefined,
	withoutReach: Company | undefined,
): Promise<void> {
	if (!withoutSmishing || !withoutReach) throw new Error('There are too few customers.');
	const pack = await readPack(folder, withoutSmishing);
	const summary = pack['summary.html'] ?? '';
	const figures = new Map(parseCsvRows(pack['figures.csv']).map(([title = '', value]) => [title, value]));
	const kinds = readHtmlRows(summary, 'The three kinds of simulations');
	const coverageRows = parseCsvRows(pack['coverage.csv']);
	expectEqual(
		'without the list of smishing, everything about it is marked as not measured',
		[
			kinds.find(([kind]) => kind?.startsWith('Smishing'))?.slice(1),
			kinds.filter((row) => row.includes('not measured')).length,
			['Smishing received', 'Got a smishing simulation', 'Simulations received', 'Failed in %'].map((title) =>
				figures.get(title),
			),
			readHtmlRows(summary, 'Simulations').at(-1),
			parseCsvRows(pack['simulations.csv'])
				.filter(([, kind]) => kind === 'Smishing')
				.map(([name]) => name),
			/could not be measured<\/h2>\s*<p>[^<]*: smishing\./.test(summary),
			pack['frameworks.html']?.includes('quishing 0'),
			/smishing not measured/.test(pack['frameworks.html'] ?? ''),
			coverageRows.some((row) => row[8] === 'yes'),
			[...new Set(coverageRows.map((row) => row[14]))],
		],
		[
			Array.from({ length: 4 }, () => 'not measured'),
			1,
			Array.from({ length: 4 }, () => 'not measured'),
			['Smishing: not measured. The platform did not show all simulations of this kind.'],
			['not measured: the platform did not show all simulations of this kind'],
			true,
			false,
			true,
			true,
			['not measured'],
		],
	);
	const packWithoutReach = await readPack(folder, withoutReach);
	const summaryWithoutReach = packWithoutReach['summary.html'] ?? '';
	expectEqual(
		'without standards, verified domains and report add-ins, these are marked, too',
		[
			[...new Set(parseCsvRows(packWithoutReach['trainings.csv']).map((row) => row[2]))],
			readHtmlRows(summaryWithoutReach, 'Coverage: who was not reached')
				.filter(([, count]) => count === 'not measured')
				.map(([title]) => title),
			/<p>[^<]*: the report add-in, verified domains\./.test(summaryWithoutReach),
			[...new Set(parseCsvRows(packWithoutReach['coverage.csv']).map((row) => row.slice(15, 18).join()))],
			/for this standard: not shown for all trainings/.test(packWithoutReach['frameworks.html'] ?? ''),
		],
		[
			['not shown'],
			['Without a report add-in that was seen in the last 30 days', 'Address not on a verified domain'],
			true,
			['not measured,not measured,not measured'],
			true,
		],
	);
}
