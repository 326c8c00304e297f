/** Forms that could not be filled in, or whose rows were the wrong ones, once. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { CustomerFixture } from '../../cases';
import { add, choose, fields } from './rows';
import { CUSTOMER, has, succeed, type Hour, type Step } from './step';

const jobs = z.array(z.object({ name: z.string(), createdDate: z.string() }).passthrough());

async function customerOf({ service }: Hour): Promise<CustomerFixture> {
	const fixture = await CustomerFixture.at(service, 'deployed');
	const company = service.state.companies.find(({ companyName }) => companyName === CUSTOMER);
	assert.ok(company);
	return fixture.of(company);
}

/** The last job of all, though the platform sorts jobs by name only; the picker shows each with its date. */
export const lastJob: Step = async (hour) => {
	const { editor, picture } = hour;
	await editor.newNode('phishing', 'Security Awareness Phishing Campaign', 'Get many phishing campaign jobs');
	await editor.pick('company', CUSTOMER);
	await editor.fill('limit', '1');
	await add(hour, 'Add Sort');
	await choose(hour, fields(hour, 'by').first(), 'Newest First');
	await succeed(editor);
	const listed = jobs.parse(
		await (await customerOf(hour)).list('POST /api/phishing-simulator/phishing-campaign-job-report/search'),
	);
	const newest = listed.reduce((one, other) => (other.createdDate > one.createdDate ? other : one));
	const shown = await editor.output('JSON');
	has(shown, newest.createdDate);
	assert.equal(shown.split('"createdDate"').length, 2, shown);
	await picture('35-last-job');
	await editor.chooseOption('operation', /^Get Phishing Campaign Job Summary/);
	await editor.openPicker('job');
	const entries = await editor.entries.allInnerTexts();
	await picture('36-jobs-with-dates');
	assert.ok(
		entries.every((entry) => /, \d{4}-\d\d-\d\d\)/.test(entry)),
		entries.join('; '),
	);
	return `of ${listed.length} jobs the one of ${newest.createdDate.slice(0, 10)}; ${entries[0]}`;
};

/** The due date stands in the form, and can be left out; an enrollment that was sent does not say that it is a draft. */
export const dueDate: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await editor.newNode('enrollment', 'Security Awareness Enrollment', 'Create and send enrollment');
	await editor.pick('company', CUSTOMER);
	await editor.pick('training');
	await editor.fill('name', 'Without a due date');
	await editor.pickOneOfSeveral('targetGroups');
	await editor.page.getByText('is in two weeks').waitFor();
	await picture('37-no-due-date');
	service.clearLog();
	await succeed(editor);
	assert.equal(service.requests('POST /api/enrollments').length, 1);
	const shown = (await editor.output('Schema')).split('\n');
	await picture('37-sent');
	assert.ok(shown.includes('sent') && !shown.includes('status'), shown.join(' '));
	return 'sent without a due date';
};

/** A new company where the platform has no lists: what the existing ones have is offered, and a default stays. */
export const newCompany: Step = async (hour) => {
	const { editor, picture, service } = hour;
	service.setOptions({ helpers: false });
	try {
		await editor.newNode('new customer', 'Security Awareness Company', 'Create company');
		await editor.openPicker('country');
		const countries = await editor.entries.allInnerTexts();
		await picture('38-countries-of-companies');
		await editor.page.keyboard.press('Escape');
		const before = await editor.shown('dateFormat');
		await editor.byTestId('resource-locator-dateFormat').locator('input').last().click();
		await editor.page.waitForTimeout(2000);
		const formats = await editor.entries.count();
		await picture('39-date-format-kept');
		await editor.page.keyboard.press('Escape');
		assert.deepEqual([formats, await editor.shown('dateFormat')], [formats, before]);
		assert.notEqual(before, '');
		return `${countries.length} countries; ${before} stays beside ${formats} entries`;
	} finally {
		service.setOptions({ helpers: true });
	}
};

/** SCIM: the platform's own fields are chosen from a list. */
export const customFields: Step = async (hour) => {
	const { editor, picture } = hour;
	await editor.newNode('SCIM', 'Security Awareness SCIM Integration', 'Create SCIM integration');
	await editor.pick('company', CUSTOMER);
	await add(hour, 'Add Mapping');
	await editor.openPicker('customFieldId');
	const entries = await editor.entries.allInnerTexts();
	await picture('40-custom-fields');
	assert.ok(entries.length > 1, entries.join());
	return entries.join(', ');
};

/** Who clicked, of every customer: the operations for one job lead to it. */
export const onlyPeopleWho: Step = async (hour) => {
	const { editor, picture } = hour;
	await editor.newNode(
		'phishing',
		'Security Awareness Phishing Campaign',
		'Get users who clicked in phishing campaign',
	);
	await editor.field('operation').click();
	const described = editor.page.getByRole('option', { name: /^Get Users Who Clicked/ }).locator('visible=true');
	has(await described.first().innerText(), 'for every customer: Get Who Opened, Clicked or Submitted');
	await picture('41-leads-to-the-period');
	await editor.page.keyboard.press('Escape');
	await editor.chooseOption('operation', /^Get Who Opened, Clicked or Submitted/);
	await editor.chooseOption('companyScope', /^Every Company/);
	await editor.chooseOption('onlyPeopleWho', /^Clicked/);
	await editor.chooseOption('period', /^Last Year/);
	await succeed(editor);
	const shown = await editor.output('JSON');
	await picture('42-who-clicked');
	has(shown, '"campaignName"');
	assert.ok(!/"clicked": ?false/.test(shown), 'Somebody who did not click is there.');
	return 'only people who clicked, each with the campaign';
};
