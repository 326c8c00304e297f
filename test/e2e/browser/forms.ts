/** Tests the nodes' forms: pickers, dates and the dark theme. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { CUSTOMER, assertIncludes, executeSuccessfully, type StepContext, type Step } from './step';

const COMPANY_SEARCH_ROUTE = 'POST /api/companies/search';
const pageSchema = z.object({ pageNumber: z.number() });
const enrollmentSchema = z.object({ name: z.string(), enrollmentScheduler: z.object({ scheduledDate: z.string() }) });

/** Adds a Company node to a new workflow and leaves its form open. */
export async function addCompanyNode({ editor }: StepContext): Promise<void> {
	await editor.addNodeToNewWorkflow('tenant', 'Security Awareness Company', 'Get many companies');
	await editor.findField('operation').waitFor();
}

/** Selects a customer by searching the picker, and gets the customer's details. */
export const pickBySearch: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await addCompanyNode(context);
	await editor.selectOperation('Get');
	await editor.openPicker('company', 'bakery');
	await editor.pickerEntries
		.filter({ hasNotText: /bakery/i })
		.first()
		.waitFor({ state: 'detached' });
	const names = await editor.pickerEntries.allInnerTexts();
	await takePicture('09-picker-search');
	assert.ok(names.length > 1 && names.every((name) => /bakery/i.test(name)), names.join(', '));
	await editor.pickerEntries.filter({ hasText: CUSTOMER }).first().click();
	assert.equal(await editor.readField('company'), CUSTOMER);
	service.clearLog();
	await executeSuccessfully(editor);
	const [{ path = '' } = {}] = service.getRequests('GET /api/companies/{resourceId}');
	const company = service.world.companies.find(({ companyName }) => companyName === CUSTOMER);
	assert.ok(path.endsWith(company?.companyResourceId ?? '?'), path);
	assertIncludes(await editor.readOutput('Schema'), CUSTOMER);
	await takePicture('10-company');
	return `${names.length} entries, each with the text`;
};

/** Selects a customer on the third page of the picker by scrolling. */
export const pickByScrolling: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await addCompanyNode(context);
	await editor.selectOperation('Get');
	service.clearLog();
	await editor.openPicker('company');
	const listRequestedPages = () =>
		service.getRequests(COMPANY_SEARCH_ROUTE).map(({ body }) => pageSchema.parse(body).pageNumber);
	while (Math.max(...listRequestedPages()) < 3) {
		const countBefore = await editor.pickerEntries.count();
		await editor.pickerEntries.last().scrollIntoViewIfNeeded();
		await editor.page.waitForFunction(
			(count) => document.querySelectorAll('[data-test-id="rlc-item"]').length > count,
			countBefore,
		);
	}
	assert.deepEqual(listRequestedPages().slice(0, 3), [1, 2, 3]);
	await editor.pickerEntries.last().scrollIntoViewIfNeeded();
	const count = await editor.pickerEntries.count();
	// `last()` could be another entry by now, because the picker may have loaded another page.
	const entry = editor.pickerEntries.nth(count - 1);
	const lastEntryName = (await entry.innerText()).trim();
	await takePicture('11-picker-page-3');
	await entry.click();
	await executeSuccessfully(editor);
	const output = await editor.readOutput('Schema');
	assertIncludes(output, lastEntryName.replace('↳ ', ''));
	return `${count} entries after three pages; took the last, ${lastEntryName}`;
};

/** Creates an enrollment with the date picker, and checks that values survive a change of the operation. */
export const createEnrollment: Step = async ({ editor, takePicture, service }) => {
	const { page } = editor;
	await editor.addNodeToNewWorkflow('enrollment', 'Security Awareness Enrollment', 'Create enrollment');
	await editor.selectInPicker('company', CUSTOMER);
	await editor.selectInPicker('training');
	const training = await editor.readField('training');
	await editor.fillField('name', 'New hires, spring');
	await editor.selectFirstChoice('targetGroups');
	// The values must survive changing the operation and changing it back.
	await editor.selectOperation('Create and Send');
	const readFields = async () => [
		await editor.readField('company'),
		await editor.readField('training'),
		await editor.readField('name'),
	];
	const enteredValues = [CUSTOMER, training, 'New hires, spring'];
	assert.deepEqual(await readFields(), enteredValues);
	await takePicture('17-switched');
	await editor.selectOperation('Create');
	assert.deepEqual(await readFields(), enteredValues);

	await editor.addOption('Add Field', 'Start Date');
	await editor.findField('scheduledDate').locator('input').click();
	const panel = page.locator('.el-picker-panel:visible');
	await panel.locator('.el-date-picker__next-btn, .arrow-right').locator('visible=true').first().click();
	await panel
		.locator('td.available')
		.filter({ hasText: /^\s*15\s*$/ })
		.first()
		.click();
	await takePicture('15-date-picker');
	await panel.getByRole('button', { name: 'OK' }).click();
	const date = await editor.readField('scheduledDate');
	assert.match(date, /^\d{4}-\d{2}-15 /);
	await takePicture('16-enrollment-form');

	service.clearLog();
	await executeSuccessfully(editor);
	const [createRequest, ...otherRequests] = service.getRequests('POST /api/enrollments');
	assert.ok(createRequest?.hasChangedData && otherRequests.length === 0, 'Not exactly one enrollment was created.');
	const body = enrollmentSchema.parse(createRequest.body);
	assert.equal(body.name, 'New hires, spring');
	const day = new Date(body.enrollmentScheduler.scheduledDate).toLocaleDateString('en-CA', {
		timeZone: 'America/New_York',
	});
	assert.equal(day, date.slice(0, 10));
	assertIncludes(await editor.readOutput('Schema'), 'Scheduled');
	await takePicture('18-enrolled');
	// n8n keeps the values of fields that both operations have.
	await editor.selectOperation('Get Many');
	assert.equal(await editor.readField('company'), CUSTOMER);
	return `one enrollment for ${date}; values survive a change of operation`;
};

/** Checks that the canvas shows the node's icon for the dark theme. */
export const useDarkTheme: Step = async (context) => {
	const { editor, takePicture } = context;
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await addCompanyNode(context);
		await editor.closeNode();
		await takePicture('27-dark');
		const icon = await editor.findNodeOnCanvas('Get many companies').locator('img').first().getAttribute('src');
		assert.match(icon ?? '', /company\.dark\.svg/);
		return 'the icon for the dark theme is there';
	} finally {
		await editor.page.emulateMedia({ colorScheme: 'light' });
	}
};
