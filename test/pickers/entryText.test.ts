/** Tests the entries of multi-select lists, which are texts with a name and an ID. */
import {
	formatEntry,
	hasEntryInName,
	listNameSplits,
	parseEntry,
	splitAfterEntries,
	splitIntoValues,
} from '../../nodes/core/pickers/entryText';

test.each([
	['an ordinary ID', { id: '3f2a', name: 'Everybody' }, 'Everybody ⟨ID 3f2a⟩'],
	['a percent sign', { id: '100%', name: 'All' }, 'All ⟨ID 100%25⟩'],
	['a bracket', { id: 'a⟨ID b⟩', name: 'All' }, 'All ⟨ID a%E2%9F%A8ID b⟩⟩'],
	['the text of an escaped bracket', { id: 'a%E2%9F%A8b', name: 'All' }, 'All ⟨ID a%25E2%259F%25A8b⟩'],
	['the text of an escaped percent sign', { id: 'a%25', name: 'All' }, 'All ⟨ID a%2525⟩'],
	['an entry as its name', { id: 'x', name: 'All ⟨ID y⟩' }, 'All ⟨ID y⟩ ⟨ID x⟩'],
])('an entry with %s is read as it was written', (_what, entry, text) => {
	expect(formatEntry(entry)).toBe(text);
	expect(parseEntry(text)).toEqual(entry);
});

test.each(['Everybody', 'Everybody ⟨ID 3f2a', '⟨ID 3f2a⟩', 'Everybody ⟨ID ⟩', ''])('%j is not an entry', (text) => {
	expect(parseEntry(text)).toBeUndefined();
});

test('an entry whose name is its ID has no second ID', () => {
	expect(formatEntry({ id: 'SCORM', name: 'SCORM' })).toBe('SCORM');
});

test('a text with several entries is split after each of them', () => {
	expect(splitAfterEntries('Sales, EU ⟨ID a⟩, IT ⟨ID b⟩\n ⟨ID c⟩,')).toEqual([
		'Sales, EU ⟨ID a⟩',
		'IT ⟨ID b⟩',
		'⟨ID c⟩',
	]);
	// The commas of an entry may be part of its name.
	expect(splitIntoValues('Sales, EU ⟨ID a⟩')).toEqual(['Sales, EU ⟨ID a⟩']);
	expect(splitIntoValues('A ⟨ID a⟩, B, C\nD, ,')).toEqual(['A ⟨ID a⟩', 'B', ' C', 'D']);
});

test('a name with commas may be one name, or several values and a name', () => {
	expect(listNameSplits('Sales,IT\nEU, Team')).toEqual([
		{ otherValues: [], name: 'Sales,IT\nEU, Team' },
		{ otherValues: ['Sales'], name: 'IT\nEU, Team' },
		{ otherValues: ['Sales', 'IT'], name: 'EU, Team' },
		{ otherValues: ['Sales', 'IT', 'EU'], name: 'Team' },
	]);
});

test.each([
	['All ⟨ID y⟩', true],
	['All ⟨ID y', false],
	['All y⟩', false],
	['All', false],
])('the name %j has another entry in it: %s', (name, expected) => {
	expect(hasEntryInName({ id: 'x', name })).toBe(expected);
});
