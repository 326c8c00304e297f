/** The nodes' forms: pickers, dates, how they look. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { CUSTOMER, has, succeed, type Hour, type Step } from './step';

const COMPANIES = 'POST /api/companies/search';
const pageNumber = z.object({ pageNumber: z.number() });
const sent = z.object({ name: z.string(), enrollmentScheduler: z.object({ scheduledDate: z.string() }) });

/** An empty workflow with the Company node, its form open. */
export async function company({ editor }: Hour): Promise<void> {
	await editor.newNode('tenant', 'Security Awareness Company', 'Get many companies');
	await editor.field('operation').waitFor();
}

export const pickBySearch: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.chooseOption('operation', /^Get Company/);
	await editor.openPicker('company', 'bakery');
	await editor.entries
		.filter({ hasNotText: /bakery/i })
		.first()
		.waitFor({ state: 'detached' });
	const names = await editor.entries.allInnerTexts();
	await picture('09-picker-search');
	assert.ok(names.length > 1 && names.every((name) => /bakery/i.test(name)), names.join(', '));
	await editor.entries.filter({ hasText: CUSTOMER }).first().click();
	assert.equal(await editor.shown('company'), CUSTOMER);
	service.clearLog();
	await succeed(editor);
	const [{ path = '' } = {}] = service.requests('GET /api/companies/{resourceId}');
	const chosen = service.state.companies.find(({ companyName }) => companyName === CUSTOMER);
	assert.ok(path.endsWith(chosen?.companyResourceId ?? '?'), path);
	has(await editor.output('Schema'), CUSTOMER);
	await picture('10-company');
	return `${names.length} entries, each with the text`;
};

export const pickByScrolling: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.chooseOption('operation', /^Get Company/);
	service.clearLog();
	await editor.openPicker('company');
	const pagesRead = () => service.requests(COMPANIES).map(({ body }) => pageNumber.parse(body).pageNumber);
	while (Math.max(...pagesRead()) < 3) {
		const before = await editor.entries.count();
		await editor.entries.last().scrollIntoViewIfNeeded();
		await editor.page.waitForFunction(
			(count) => document.querySelectorAll('[data-test-id="rlc-item"]').length > count,
			before,
		);
	}
	assert.deepEqual(pagesRead().slice(0, 3), [1, 2, 3]);
	await editor.entries.last().scrollIntoViewIfNeeded();
	const count = await editor.entries.count();
	// Not the last one: by then a further page may have come.
	const entry = editor.entries.nth(count - 1);
	const last = (await entry.innerText()).trim();
	await picture('11-picker-page-3');
	await entry.click();
	await succeed(editor);
	const shown = await editor.output('Schema');
	has(shown, last.replace('↳ ', ''));
	return `${count} entries after three pages; took the last, ${last}`;
};

export const enroll: Step = async ({ editor, picture, service }) => {
	const { page } = editor;
	await editor.newNode('enrollment', 'Security Awareness Enrollment', 'Create enrollment');
	await editor.pick('company', CUSTOMER);
	await editor.pick('training');
	const training = await editor.shown('training');
	await editor.fill('name', 'New hires, spring');
	await editor.pickOneOfSeveral('targetGroups');
	await editor.addOption('Add Field', 'Start Date');
	await editor.field('scheduledDate').locator('input').click();
	const panel = page.locator('.el-picker-panel:visible');
	await panel.locator('.el-date-picker__next-btn, .arrow-right').locator('visible=true').first().click();
	await panel
		.locator('td.available')
		.filter({ hasText: /^\s*15\s*$/ })
		.first()
		.click();
	await picture('15-date-picker');
	await panel.getByRole('button', { name: 'OK' }).click();
	const date = await editor.shown('scheduledDate');
	assert.match(date, /^\d{4}-\d{2}-15 /);
	await picture('16-enrollment-form');

	// Another operation and back: what was filled in is still there.
	await editor.chooseOption('operation', /^Create and Send/);
	const kept = async () => [
		await editor.shown('company'),
		await editor.shown('training'),
		await editor.shown('name'),
		await editor.shown('scheduledDate'),
	];
	const filled = [CUSTOMER, training, 'New hires, spring', date];
	assert.deepEqual(await kept(), filled);
	await picture('17-switched');
	await editor.chooseOption('operation', /^Create Enrollment/);
	assert.deepEqual(await kept(), filled);

	service.clearLog();
	await succeed(editor);
	const [created, ...more] = service.requests('POST /api/enrollments');
	assert.ok(created?.landed && more.length === 0, 'Not exactly one enrollment was created.');
	const body = sent.parse(created.body);
	assert.equal(body.name, 'New hires, spring');
	const day = new Date(body.enrollmentScheduler.scheduledDate).toLocaleDateString('en-CA', {
		timeZone: 'America/New_York',
	});
	assert.equal(day, date.slice(0, 10));
	has(await editor.output('Schema'), 'Scheduled');
	await picture('18-enrolled');
	// n8n keeps what both operations have.
	await editor.chooseOption('operation', /^Get Many/);
	assert.equal(await editor.shown('company'), CUSTOMER);
	return `one enrollment for ${date}; values survive a change of operation`;
};

export const dark: Step = async (hour) => {
	const { editor, picture } = hour;
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await company(hour);
		await editor.closeNode();
		await picture('27-dark');
		const icon = await editor.nodeOnCanvas('Get many companies').locator('img').first().getAttribute('src');
		assert.match(icon ?? '', /company\.dark\.svg/);
		return 'the icon for the dark theme is there';
	} finally {
		await editor.page.emulateMedia({ colorScheme: 'light' });
	}
};
