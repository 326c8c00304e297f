/** Tests a list that depends on another field, while that field is empty. */
import assert from 'node:assert/strict';
import { CUSTOMER, assertIncludes, type Step } from './step';

/** Opens the list of target groups before and after a company is selected. */
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
	assertIncludes(entriesWithoutCompany.join(), "Choose 'Company' first");
	await editor.page.keyboard.press('Escape');
	await editor.selectInPicker('company', CUSTOMER);
	const entriesOfCompany = await openList();
	assert.ok(entriesOfCompany.length > 0, `The groups are not there: ${entriesOfCompany.join()}`);
	return `${entriesWithoutCompany.join()}; then ${entriesOfCompany.length} groups`;
};
