/** Regression tests: an earlier version of these forms couldn't be filled in, or returned the wrong records. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { CustomerFixture } from '../../cases';
import { clickButton, selectOption, findFields } from './rows';
import { CUSTOMER, assertIncludes, executeSuccessfully, type StepContext, type Step } from './step';

const jobsSchema = z.array(z.object({ name: z.string(), createdDate: z.string() }).passthrough());

/** Connects to the service as the customer that the steps use, to read the customer's records. */
async function connectToCustomer({ service }: StepContext): Promise<CustomerFixture> {
	const fixture = await CustomerFixture.connect(service, 'deployed');
	const company = service.world.companies.find(({ companyName }) => companyName === CUSTOMER);
	assert.ok(company);
	return fixture.switchToCompany(company);
}

/**
 * Checks that *Newest First* finds the newest campaign job, although the platform only sorts jobs by name, and that the job picker
 * shows dates.
 */
export const readLastJob: Step = async (context) => {
	const { editor, takePicture } = context;
	await editor.addNodeToNewWorkflow(
		'phishing',
		'Security Awareness Phishing Campaign',
		'Get many phishing campaign jobs',
	);
	await editor.selectInPicker('company', CUSTOMER);
	await editor.fillField('limit', '1');
	await clickButton(context, 'Add Sort');
	await selectOption(context, findFields(context, 'by').first(), 'Newest First');
	await executeSuccessfully(editor);
	const customer = await connectToCustomer(context);
	const jobs = jobsSchema.parse(
		await customer.fetchList('POST /api/phishing-simulator/phishing-campaign-job-report/search'),
	);
	const lastJob = jobs.reduce((newestJob, job) => (job.createdDate > newestJob.createdDate ? job : newestJob));
	const output = await editor.readOutput('JSON');
	assertIncludes(output, lastJob.createdDate);
	assert.equal(output.split('"createdDate"').length, 2, output);
	await takePicture('35-last-job');
	await editor.selectOperation('Get Summary');
	await editor.openPicker('job');
	const entries = await editor.pickerEntries.allInnerTexts();
	await takePicture('36-jobs-with-dates');
	assert.ok(
		entries.every((entry) => /, \d{4}-\d\d-\d\d\)/.test(entry)),
		entries.join('; '),
	);
	await editor.page.keyboard.press('Escape');
	await editor.closeNode();
	const nodeText = await editor.findNodeOnCanvas('phishing campaign job').first().innerText();
	assertIncludes(nodeText, 'Get Summary: Campaign Job');
	await takePicture('36-subtitle');
	return `of ${jobs.length} jobs the one of ${lastJob.createdDate.slice(0, 10)}; ${entries[0]}`;
};

/** Sends an enrollment without a due date. Checks that the form shows the default due date and that the output has no draft status. */
export const enrollWithoutDueDate: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await editor.addNodeToNewWorkflow('enrollment', 'Security Awareness Enrollment', 'Create and send enrollment');
	await editor.selectInPicker('company', CUSTOMER);
	await editor.selectInPicker('training');
	await editor.fillField('name', 'Without a due date');
	await editor.selectFirstChoice('targetGroups');
	await editor.page.getByText('is in two weeks').waitFor();
	await takePicture('37-no-due-date');
	service.clearLog();
	await executeSuccessfully(editor);
	assert.equal(service.getRequests('POST /api/enrollments').length, 1);
	const output = (await editor.readOutput('Schema')).split('\n');
	await takePicture('37-sent');
	assert.ok(output.includes('result') && !output.includes('status'), output.join(' '));
	return 'sent without a due date';
};

/**
 * Checks *Create Company* on a platform without lists of countries and formats: the pickers offer values of existing companies, and
 * keep the default.
 */
export const createCompanyWithoutLists: Step = async (context) => {
	const { editor, takePicture, service } = context;
	service.setOptions({ hasExtraRoutes: false });
	try {
		await editor.addNodeToNewWorkflow('new customer', 'Security Awareness Company', 'Create company');
		await editor.openPicker('country');
		const countries = await editor.pickerEntries.allInnerTexts();
		await takePicture('38-countries-of-companies');
		await editor.page.keyboard.press('Escape');
		const defaultFormat = await editor.readField('dateFormat');
		await editor.findByTestId('resource-locator-dateFormat').locator('input').last().click();
		await editor.page.waitForTimeout(2000);
		const formatCount = await editor.pickerEntries.count();
		await takePicture('39-date-format-kept');
		await editor.page.keyboard.press('Escape');
		assert.deepEqual([formatCount, await editor.readField('dateFormat')], [formatCount, defaultFormat]);
		assert.notEqual(defaultFormat, '');
		return `${countries.length} countries; ${defaultFormat} stays beside ${formatCount} entries`;
	} finally {
		service.setOptions({ hasExtraRoutes: true });
	}
};

/** Checks that a SCIM integration offers the platform's custom fields in a list. */
export const listCustomFields: Step = async (context) => {
	const { editor, takePicture } = context;
	await editor.addNodeToNewWorkflow('SCIM', 'Security Awareness SCIM Integration', 'Create SCIM integration');
	await editor.selectInPicker('company', CUSTOMER);
	await clickButton(context, 'Add Mapping');
	await editor.openPicker('customFieldId');
	const entries = await editor.pickerEntries.allInnerTexts();
	await takePicture('40-custom-fields');
	assert.ok(entries.length > 1, entries.join());
	return entries.join(', ');
};

/**
 * Lists the people of every company who clicked. *Get Clicked*, which is for one job, must name the right operation in a notice in its
 * form.
 */
export const listPeopleWhoClicked: Step = async (context) => {
	const { editor, takePicture } = context;
	await editor.addNodeToNewWorkflow(
		'phishing',
		'Security Awareness Phishing Campaign',
		'Get who clicked in phishing campaign',
	);
	await editor.page
		.getByText("several campaign jobs or customers, use 'Get many phishing results by period'")
		.waitFor();
	await takePicture('41-leads-to-the-period');
	await editor.selectOperation('Get Many by Period');
	await editor.selectOption('companyScope', /^Every Company/);
	await editor.selectOption('onlyPeopleWho', /^Clicked/);
	await editor.selectOption('period', /^Last Year/);
	await executeSuccessfully(editor);
	const output = await editor.readOutput('JSON');
	await takePicture('42-who-clicked');
	assertIncludes(output, '"campaignName"');
	assert.ok(!/"clicked": ?false/.test(output), 'Somebody who did not click is there.');
	return 'only people who clicked, each with the campaign';
};
