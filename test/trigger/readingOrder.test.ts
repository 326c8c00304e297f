/** Tests the order in which a trigger reads the lists of companies. It matters if a poll has too little time for all of them. */
import { NO_COMPANY, sortForReading } from '../../nodes/core/trigger/readCompanies';

/** Creates a company. @param ancestorIds the IDs of the companies above it; the parent comes first */
const createCompany = (id: string, ...ancestorIds: string[]) => ({
	...NO_COMPANY,
	id,
	name: id,
	ancestorIds,
	rootId: ancestorIds.at(-1) ?? id,
});

const COMPANIES = [
	createCompany('Bakery'),
	createCompany('Mill'),
	createCompany('Mill North', 'Mill'),
	createCompany('Harbour'),
	createCompany('Harbour West', 'Harbour'),
	createCompany('Harbour East', 'Harbour'),
	createCompany('Harbour East Dock', 'Harbour East', 'Harbour'),
];

/** Returns the names of the companies in the order in which they are read. @param unreadIds the unread companies, in their order */
const listOrder = (...unreadIds: string[]) =>
	sortForReading(COMPANIES, (id) => (unreadIds.includes(id) ? unreadIds.indexOf(id) : Infinity)).map(({ id }) => id);

test('parents are read before their children, and otherwise the companies in the order of the platform', () => {
	expect(listOrder()).toEqual([
		'Bakery',
		'Mill',
		'Harbour',
		'Mill North',
		'Harbour West',
		'Harbour East',
		'Harbour East Dock',
	]);
});

test('the whole tree of an unread child comes first, because its parent may list the records of the child', () => {
	expect(listOrder('Harbour East', 'Bakery')).toEqual([
		'Harbour',
		'Harbour East',
		'Harbour West',
		'Harbour East Dock',
		'Bakery',
		'Mill',
		'Mill North',
	]);
});

test('the company that was the first of the unread ones is read first', () => {
	expect(listOrder('Mill', 'Bakery').slice(0, 3)).toEqual(['Mill', 'Mill North', 'Bakery']);
});
