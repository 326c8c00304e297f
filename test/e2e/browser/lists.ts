/** Lists to choose from, while a field that they depend on is empty. */
import assert from 'node:assert/strict';
import { CUSTOMER, has, type Step } from './step';

/** The target groups to enroll, before and after a company is chosen. */
export const withoutCompany: Step = async ({ editor, picture }) => {
	await editor.newNode('enrollment', 'Security Awareness Enrollment', 'Create enrollment');
	const open = async () => {
		await editor.page.waitForTimeout(1000);
		await editor.field('targetGroups').locator('.el-select').first().click();
		await editor.page.waitForTimeout(2000);
		return await editor.page.locator('.el-select-dropdown__item').locator('visible=true').allInnerTexts();
	};
	const before = await open();
	await picture('32-list-without-company');
	assert.equal(before.length, 1);
	has(before.join(), "Choose 'Company' first");
	await editor.page.keyboard.press('Escape');
	await editor.pick('company', CUSTOMER);
	const after = await open();
	assert.ok(after.length > 0, `The groups are not there: ${after.join()}`);
	return `${before.join()}; then ${after.length} groups`;
};
