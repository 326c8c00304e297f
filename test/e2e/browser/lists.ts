/** Tests a list whose entries depend on the field *Company*, before and after a company is selected. */
import assert from 'node:assert/strict';
import { CUSTOMER, assertIncludes, type Step } from './step';

/** Checks that the list of target groups asks for a company first, and then shows the groups of the selected company. */
export const listTargetGroups: Step = async ({ editor, takePicture }) => {
	await editor.addNodeToNewWorkflow('enrollment', 'Security Awareness Enrollment', 'Create enrollment');
	const openList = async () => {
		await editor.page.waitForTimeout(1000);
		await editor.findField('targetGroups').locator('.el-select').first().click();
		await editor.page.waitForTimeout(2000);
		return await editor.page.locator('.el-select-dropdown__item').locator('visible=true').allInnerTexts();
	};
	const entriesWithoutCompany = await openList();
	await takePicture('32-list-without-company');
	assert.equal(entriesWithoutCompany.length, 1);
	assertIncludes(entriesWithoutCompany.join(), "Select 'Company' first");
	await editor.page.keyboard.press('Escape');
	await editor.selectInPicker('company', CUSTOMER);
	const entriesOfCompany = await openList();
	assert.ok(entriesOfCompany.length > 0, `The groups are not there: ${entriesOfCompany.join()}`);
	return `${entriesWithoutCompany.join()}; then ${entriesOfCompany.length} groups`;
};
