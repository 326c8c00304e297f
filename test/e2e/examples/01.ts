import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { unzipSync } from 'fflate';
import readSheet from 'read-excel-file/node';

import type { StandIn } from '../../stand-in';
import { checkExample } from './check';

const EXPORTS = [
	'POST /api/training-reports/{enrollmentId}/sending-report/search/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
] as const;

/** The files that the service sent for a company, by their content. */
const sentFor = ({ requests }: StandIn, id: string): string[] =>
	EXPORTS.flatMap(requests)
		.flatMap(({ companyId, sha256 }) => (companyId === id && sha256 !== undefined ? sha256 : []))
		.sort();

const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

checkExample(1, async ({ service, inbox, folder, run, same }) => {
	const { companies } = service.state;
	// Of the first nothing can be read, of the second no training reports.
	const [refused = '', half = ''] = [companies[7]?.companyResourceId, companies[40]?.companyResourceId];
	service.fault({ kind: 'forbidden-company', company: refused, times: Infinity });
	service.fault({ kind: 'forbidden-company', company: half, times: Infinity, route: EXPORTS[0] });

	await run();

	const underWay = (id: string) =>
		service.state.of(id).enrollments.filter(({ status, markedAsTest }) => status === 'InProgress' && !markedAsTest);
	const expected = companies.map(({ companyResourceId: id, companyName }) => ({
		...{ name: companyName, id },
		training: id === refused || id === half ? 0 : underWay(id).length,
		phishing: id === refused ? 0 : 1,
		hasFailed: id === refused || id === half,
	}));

	const files = await readdir(folder);
	const zips = await Promise.all(
		files
			.filter((file) => file.endsWith('.zip'))
			.map(async (file) => ({ file, entries: unzipSync(await readFile(join(folder, file))) })),
	);
	same(
		`${companies.length - 1} customers have a zip file, the refused one has none, and nothing else is there`,
		[zips.length, files.length],
		[companies.length - 1, companies.length],
	);
	const contents = new Map(
		zips.map(({ file, entries }) => [/\(([^)]*)\)\.zip$/.exec(file)?.[1] ?? '', { file, entries }]),
	);
	const wrong = expected.flatMap(({ id, name, training, phishing }) => {
		const { file = '', entries = {} } = contents.get(id.slice(0, 8)) ?? {};
		const isInFolder = Object.keys(entries).every(
			(path) => path.split('/').length === 2 && path.startsWith(`${basename(file, '.zip')}/`),
		);
		const isSame = Object.values(entries).map(hash).sort().join() === sentFor(service, id).join();
		return isInFolder && isSame && Object.keys(entries).length === training + phishing ? [] : [name];
	});
	const count = zips.reduce((sum, { entries }) => sum + Object.keys(entries).length, 0);
	same(
		`${count} files in them, each in its customer's folder, byte for byte what the service sent for that customer`,
		wrong,
		[],
	);
	const [bakery] = companies;
	const names = service.state
		.of(bakery?.companyResourceId ?? '')
		.campaigns('phishing')
		.map(({ name }) => name);
	const listed = Object.values(contents.get(bakery?.companyResourceId.slice(0, 8) ?? '')?.entries ?? {}).map((bytes) =>
		Buffer.from(bytes).toString(),
	);
	same(
		`the ${names.length} phishing campaigns of ${bakery?.companyName} are in its file`,
		names.filter((name) => !listed.some((text) => text.includes(name))),
		[],
	);

	const [sheet] = await readSheet(join(folder, 'Summary.xlsx'), { trim: false });
	const [header = [], ...rows] = sheet?.data ?? [];
	const row = (cells: unknown[]) => {
		const cell = (name: string) => cells[header.indexOf(name)];
		return {
			name: cell('Customer'),
			id: cell('Company ID'),
			training: cell('Training Reports'),
			phishing: cell('Phishing Reports'),
			hasFailed: (cell('Problems') ?? '') !== '',
		};
	};
	const byId = (one: { id: unknown }, other: { id: unknown }) => (String(one.id) < String(other.id) ? -1 : 1);
	same(
		`the ${rows.length} rows of Summary.xlsx, one for each customer, with how many reports and whether something failed`,
		rows.map(row).sort(byId),
		[...expected].sort(byId),
	);

	const told = inbox.of('chatUrl').map(({ body }) => JSON.stringify(body));
	same(
		'the chat was told once, of both customers and no other',
		[told.length, told[0]?.match(/\\n- /g)?.length],
		[1, 2],
	);
	const failed = expected.filter(({ hasFailed }) => hasFailed).map(({ name }) => name ?? '');
	same(
		'by their names',
		failed.filter((name) => !told[0]?.includes(JSON.stringify(name).slice(1, -1))),
		[],
	);
});
