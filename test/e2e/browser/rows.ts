/** Tests the forms for filter conditions and sorting, to which users add rows. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { addCompanyNode } from './forms';
import { assertIncludes, executeSuccessfully, type StepContext, type Step } from './step';

/** Clicks a button that adds a row or a group of fields. */
export const clickButton = async ({ editor }: StepContext, text: string) =>
	editor.page.getByRole('button', { name: text, exact: true }).first().click();

/** Finds the inputs with this parameter name in all rows, from top to bottom. */
export const findFields = ({ editor }: StepContext, name: string): Locator =>
	editor.findByTestId(`parameter-input-${name}`);

/** Selects an option in a list. @param option the beginning of the option's name, as a regular expression */
export async function selectOption(context: StepContext, field: Locator, option: string): Promise<void> {
	await field.click();
	await context.editor.page
		.getByRole('option', { name: new RegExp(`^${option}`) })
		.locator('visible=true')
		.first()
		.click();
}

/** Fills in a text and clicks outside the field, because a list next to it doesn't open while the field has the focus. */
async function fillField({ editor }: StepContext, field: Locator, text: string): Promise<void> {
	await field.locator('input, textarea').first().fill(text);
	await editor.page.getByText('Parameters', { exact: true }).first().click();
}

/**
 * Selects the company field that a condition compares. The input is found by its label, because n8n gives the test ID of a parameter
 * named "field" to every input.
 */
const selectConditionField = async (context: StepContext, row: number, option: string) =>
	selectOption(
		context,
		context.editor.page.getByText('Field', { exact: true }).nth(row).locator('xpath=ancestor::*[.//input][1]'),
		option,
	);

const searchSchema = z.object({
	orderBy: z.string(),
	ascending: z.boolean(),
	filter: z.object({ FilterGroups: z.array(z.unknown()) }),
});

/** Combines two filter conditions and a sort order, and checks the request. */
export const filterAndSort: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await addCompanyNode(context);
	await editor.addOption('Add Filter', /^\s*Conditions\s*$/);
	await clickButton(context, 'Add Condition');
	// The default field of a condition is the company's name.
	await fillField(context, findFields(context, 'value').first(), 'bakery');
	await clickButton(context, 'Add Condition');
	await selectConditionField(context, 1, 'Target Users');
	await selectOption(context, findFields(context, 'operator').nth(1), 'Greater Than$');
	await fillField(context, findFields(context, 'value').nth(1), '5');
	await editor.addOption('Add Filter', 'Combine Conditions By');
	await selectOption(context, findFields(context, 'condition'), 'Or');
	await clickButton(context, 'Add Sort');
	await selectOption(context, findFields(context, 'by').first(), 'Renewal Date');
	await selectOption(context, findFields(context, 'direction').first(), 'Descending');
	await editor.runWithoutScrolling(async () => takePicture('28-filter-rows'));
	service.clearLog();
	await executeSuccessfully(editor);
	const [{ body } = { body: undefined }] = service.getRequests('POST /api/companies/search');
	const { orderBy, ascending, filter } = searchSchema.parse(body);
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
	// The saved values must be shown again when the node is reopened.
	await editor.closeNode();
	await editor.openNode('Get many companies');
	assert.equal(await findFields(context, 'condition').locator('input').inputValue(), 'Or');
	return 'two filters, any of which may match; sorted in one place';
};

/** Checks that an invalid date is refused before a request is sent, and that a hint says when *Limit* has cut off a list. */
export const refuseInvalidDate: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await addCompanyNode(context);
	await editor.addOption('Add Filter', /^\s*Conditions\s*$/);
	await clickButton(context, 'Add Condition');
	await selectConditionField(context, 0, 'License End');
	await selectOption(context, findFields(context, 'operator').first(), 'Less Than$');
	await fillField(context, findFields(context, 'value').first(), 'next week');
	service.clearLog();
	assertIncludes((await editor.executeNode()) ?? '', 'must be a date such as 2026-01-31');
	assert.deepEqual(service.getRequests(), [], 'A condition that is no date was sent.');
	await takePicture('33-no-date');
	await addCompanyNode(context);
	await executeSuccessfully(editor);
	const hint = await editor.page.getByText("There are more results than 'Limit'").first().innerText();
	await takePicture('34-more-than-limit');
	return `${hint.slice(0, 60)} ...`;
};
