/** Fields that are filled in by choosing: filters in rows, the order. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { company } from './forms';
import { has, succeed, type Hour, type Step } from './step';

/** Presses a button that adds a row or a group of fields. */
export const add = async ({ editor }: Hour, text: string) =>
	editor.page.getByRole('button', { name: text, exact: true }).first().click();

/** The fields of one name in all rows, from the first on. */
export const fields = ({ editor }: Hour, name: string): Locator => editor.byTestId(`parameter-input-${name}`);

export async function choose(hour: Hour, field: Locator, option: string): Promise<void> {
	await field.click();
	await hour.editor.page
		.getByRole('option', { name: new RegExp(`^${option}`) })
		.locator('visible=true')
		.first()
		.click();
}

/** Fills in a text and leaves the field: a list beside it does not open otherwise. */
async function fill({ editor }: Hour, field: Locator, text: string): Promise<void> {
	await field.locator('input, textarea').first().fill(text);
	await editor.page.getByText('Parameters', { exact: true }).first().click();
}

/** Chooses a condition's field: n8n gives every input the mark that a parameter called "field" would have, so it is found by its label. */
const chooseField = async (hour: Hour, row: number, option: string) =>
	choose(
		hour,
		hour.editor.page.getByText('Field', { exact: true }).nth(row).locator('xpath=ancestor::*[.//input][1]'),
		option,
	);

const sent = z.object({
	orderBy: z.string(),
	ascending: z.boolean(),
	filter: z.object({ FilterGroups: z.array(z.unknown()) }),
});

export const filterRows: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.addOption('Add Filter', /^\s*Conditions\s*$/);
	await add(hour, 'Add Condition');
	// The first field is a name already.
	await fill(hour, fields(hour, 'value').first(), 'bakery');
	await add(hour, 'Add Condition');
	await chooseField(hour, 1, 'Target Users');
	await choose(hour, fields(hour, 'operator').nth(1), 'Greater Than$');
	await fill(hour, fields(hour, 'value').nth(1), '5');
	await editor.addOption('Add Filter', 'Combine Conditions By');
	await choose(hour, fields(hour, 'condition'), 'Or');
	await add(hour, 'Add Sort');
	await choose(hour, fields(hour, 'by').first(), 'Renewal Date');
	await choose(hour, fields(hour, 'direction').first(), 'Descending');
	await editor.whole(async () => picture('28-filter-rows'));
	service.clearLog();
	await succeed(editor);
	const [{ body } = { body: undefined }] = service.requests('POST /api/companies/search');
	const { orderBy, ascending, filter } = sent.parse(body);
	assert.deepEqual([orderBy, ascending], ['RenewalDate', false]);
	assert.deepEqual(filter.FilterGroups, [
		{ Condition: 'AND', FilterItems: [], FilterGroups: [] },
		{
			Condition: 'OR',
			FilterItems: [
				{ FieldName: 'CompanyName', Operator: 'Contains', Value: 'bakery' },
				{ FieldName: 'TargetUserCount', Operator: '>', Value: '5' },
			],
			FilterGroups: [],
		},
	]);
	// What is saved is there again when the node is opened.
	await editor.closeNode();
	await editor.openNode('Get many companies');
	assert.equal(await fields(hour, 'condition').locator('input').inputValue(), 'Or');
	return 'two filters, any of which may match; sorted in one place';
};

/** What would be the wrong rows without a word is refused before anything is sent, and a list that is cut says so. */
export const noWrongRows: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.addOption('Add Filter', /^\s*Conditions\s*$/);
	await add(hour, 'Add Condition');
	await chooseField(hour, 0, 'License End');
	await choose(hour, fields(hour, 'operator').first(), 'Less Than$');
	await fill(hour, fields(hour, 'value').first(), 'next week');
	service.clearLog();
	has((await editor.execute()) ?? '', 'must be a date such as 2026-01-31');
	assert.deepEqual(service.requests(), [], 'A condition that is no date was sent.');
	await picture('33-no-date');
	await company(hour);
	await succeed(editor);
	const hint = await editor.page.getByText("There was more than 'Limit'").first().innerText();
	await picture('34-more-than-limit');
	return `${hint.slice(0, 60)} ...`;
};
