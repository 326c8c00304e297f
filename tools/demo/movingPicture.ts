import type { Editor } from '../../test/real-n8n/editor';
import { Recorder } from './recorder';

const NODE = 'Security Awareness Phishing Campaign';
const PICTURE_SIZE = { width: 1120, height: 620 };
const ACTION = 'Get many phishing results by period';

/**
 * Records how a user finds the node, selects Every Company, and sees who clicked at every customer. The README starts with it.
 * @returns the moving picture as a WebP file
 */
export async function recordWhoClicked(editor: Editor): Promise<Buffer> {
	const { page } = editor;
	const originalSize = page.viewportSize();
	await page.setViewportSize(PICTURE_SIZE);
	await editor.open('/workflow/new');
	const addButton = editor.findByTestId('canvas-add-button');
	await addButton.waitFor();
	await page.waitForTimeout(1000);

	const recorder = new Recorder(page, PICTURE_SIZE);
	await recorder.takePicture(800);
	await recorder.click(addButton);
	await recorder.takePicture(500);
	await recorder.enterText(page.getByPlaceholder(/^Search/).last(), 'who clicked');
	await page.waitForTimeout(700);
	await recorder.takePicture(900);
	const findEntry = (name: string) =>
		editor
			.findByTestId('item-iterator-item')
			.filter({ has: page.getByText(name, { exact: true }) })
			.first();
	await recorder.click(findEntry(NODE));
	await recorder.takePicture(900);
	await recorder.click(findEntry(ACTION));
	await editor.findByTestId('ndv').waitFor();
	await page.waitForTimeout(1500);
	await recorder.takePicture(900);

	for (const [field, option] of [
		['companyScope', 'Every Company'],
		['onlyPeopleWho', 'Clicked'],
	] as const) {
		await recorder.click(editor.findField(field));
		await recorder.takePicture(500);
		await recorder.click(page.getByRole('option', { name: option }).locator('visible=true').first());
		await recorder.takePicture(600);
	}

	const executeButton = editor.findByTestId('node-execute-button').first();
	await recorder.click(executeButton);
	await recorder.takePicture(500);
	const successMessage = page.getByText('Node executed successfully');
	await successMessage.waitFor();
	await editor.readOutput('Table');
	await successMessage.waitFor({ state: 'hidden' });
	await recorder.takePicture(1200);
	// Moves the form aside to show more columns of the output.
	await editor.moveForm(-300);
	await recorder.takePicture(1500);
	await recorder.scroll(editor.findByTestId('output-panel').locator('tbody td').first(), 170, 5);
	await recorder.takePicture(3000);
	if (originalSize) await page.setViewportSize(originalSize);
	return recorder.encode();
}
