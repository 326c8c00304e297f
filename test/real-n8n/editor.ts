import type { Locator, Page } from 'playwright-core';
import { groupPanelEntries, type PanelEntries, type PanelGroup } from './panelEntries';
import { Problem } from './problem';

/** CSS that hides the controls and messages that n8n shows in front of the canvas, for screenshots. */
export const HIDE_CANVAS_OVERLAYS =
	'.vue-flow__panel, .el-notification, [data-test-id="execute-workflow-button"] { visibility: hidden !important }';

/** The maximum time for an action in the editor. It is long because the machine may be busy. */
export const ACTION_TIMEOUT_MS = 60_000;

/** Controls n8n's editor in a browser, one user action per method. Form fields are identified by the name of their parameter. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Finds elements by the attribute `data-test-id`, which n8n's own tests use. */
	findByTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	/** Opens a page of n8n. @param path for example, /home/credentials */
	async open(path: string): Promise<void> {
		await this.page.goto(this.url + path);
	}

	/** Takes a screenshot as soon as the page has stopped changing. @param path of the file to write */
	async takePicture(path: string): Promise<void> {
		// Tooltips at the mouse pointer and messages in the corner would cover parts of the page. Some messages don't close by themselves.
		await this.page.mouse.move(720, 5);
		await this.page.locator('.el-notification__closeBtn').evaluateAll((buttons) => {
			for (const button of buttons) if (button instanceof HTMLElement) button.click();
		});
		await this.page.waitForFunction(() => document.querySelectorAll('.el-notification').length === 0);
		await this.page.waitForTimeout(500);
		await this.page.screenshot({ path });
	}

	/**
	 * Takes a screenshot of all nodes of the open workflow, without the rest of the page.
	 * @param margin the space around the nodes, in pixels
	 */
	async takeCanvasPicture(path: string, margin = { side: 24, bottom: 24 }): Promise<void> {
		const originalSize = this.page.viewportSize();
		await this.page.setViewportSize({ width: 1920, height: 1000 });
		await this.findNodeOnCanvas('').first().waitFor();
		await this.findByTestId('zoom-to-fit').click();
		// Moves the mouse away from elements that show tooltips.
		await this.page.mouse.move(960, 5);
		await this.page.waitForTimeout(1000);
		const boxes = await this.findNodeOnCanvas('').evaluateAll((nodes) =>
			nodes.map((node) => node.getBoundingClientRect().toJSON() as DOMRect),
		);
		const left = Math.min(...boxes.map((box) => box.left));
		const top = Math.min(...boxes.map((box) => box.top));
		const right = Math.max(...boxes.map((box) => box.right));
		const bottom = Math.max(...boxes.map((box) => box.bottom));
		const { side } = margin;
		const clip = {
			x: left - side,
			y: top - side,
			width: right - left + 2 * side,
			height: bottom - top + side + margin.bottom,
		};
		await this.page.screenshot({ path, clip, style: HIDE_CANVAS_OVERLAYS });
		if (originalSize) await this.page.setViewportSize(originalSize);
	}

	/**
	 * Makes the window so high that an area of the page fits without scrolling, runs `work`, and restores the window's size.
	 * @param area the area; by default, the open form
	 */
	async runWithoutScrolling(work: () => Promise<void>, area = this.findByTestId('node-parameters')): Promise<void> {
		const originalSize = this.page.viewportSize();
		const hiddenPixels = await area.first().evaluate((inside) => {
			for (let element: Element | null = inside; element; element = element.parentElement)
				if (element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY))
					return element.scrollHeight - element.clientHeight;
			return 0;
		});
		if (originalSize) await this.page.setViewportSize({ ...originalSize, height: originalSize.height + hiddenPixels });
		await work();
		if (originalSize) await this.page.setViewportSize(originalSize);
	}

	/** Opens an empty workflow and its node panel. */
	async openNewWorkflow(): Promise<void> {
		await this.open('/workflow/new');
		await this.findByTestId('canvas-add-button').click();
	}

	/** Opens the node panel by clicking the plus sign to the right of a node on the canvas. */
	async openPanelAfter(node: string): Promise<void> {
		await this.findNodeOnCanvas(node).locator('[data-test-id="canvas-handle-plus"]').first().click();
	}

	/** Opens the panel of tools by clicking the plus sign below an agent on the canvas. */
	async openToolPanel(agent: string): Promise<void> {
		// In a small window, the canvas's controls cover half of the plus sign, so the click is forced.
		await this.findNodeOnCanvas(agent).locator('[data-test-id="canvas-handle-plus"]').last().click({ force: true });
	}

	/** Searches the node panel. @returns the names of the results, best match first */
	async searchNodes(text: string): Promise<string[]> {
		await this.page
			.getByPlaceholder(/^Search/)
			.last()
			.fill(text);
		const names = this.findByTestId('node-creator-item-name');
		await names.first().waitFor();
		await this.page.waitForTimeout(700);
		// The panel shows long results in batches.
		let count = 0;
		while (count !== (await names.count())) {
			count = await names.count();
			await this.page.waitForTimeout(300);
		}
		return (await names.allInnerTexts()).map((name) => name.trim());
	}

	/** Clicks a search result in the node panel. @param name as the panel shows it */
	private async clickSearchResult(name: string): Promise<void> {
		await this.findByTestId('item-iterator-item')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.first()
			.click();
	}

	/** Finds a section on a node's page in the panel. @param name "Triggers" or "Actions" */
	private findSection(name: string): Locator {
		return this.page
			.locator('[data-category-collapsed]')
			.filter({ has: this.page.locator(`[data-keyboard-nav-id^="${name}"]`) });
	}

	/** Reads the entries in a section, which is expanded if it is collapsed. @returns an empty list if the node's page has no such section */
	private async readSection(name: string): Promise<PanelGroup[]> {
		const section = this.findSection(name);
		if ((await section.count()) === 0) return [];
		if ((await section.getAttribute('data-category-collapsed')) === 'true')
			await section.locator(this.findByTestId('node-creator-category-item')).click();
		const items = section.locator(this.findByTestId('item-iterator-item'));
		await items.first().waitFor();
		const entries = await items.evaluateAll((elements) =>
			elements.map((element) => ({
				name: element.querySelector<HTMLElement>('[data-test-id="node-creator-item-name"]')?.innerText.trim(),
				text: element instanceof HTMLElement ? element.innerText.trim() : '',
			})),
		);
		return groupPanelEntries(entries);
	}

	/**
	 * Clicks a search result in the node panel and reads the page that opens.
	 * @param name as the panel shows it
	 * @returns the headings of the sections, and the entries below them
	 */
	async openNodePage(name: string): Promise<{ headings: string[]; entries: PanelEntries }> {
		await this.clickSearchResult(name);
		const headings = this.findByTestId('node-creator-category-item');
		await headings.first().waitFor();
		const triggers = (await this.readSection('Triggers')).flatMap(({ entries }) => entries);
		const actionGroups = await this.readSection('Actions');
		return {
			headings: (await headings.allInnerTexts()).map((text) => text.trim()),
			entries: { triggers, actionGroups },
		};
	}

	/** Goes back from a node's page in the panel to the search. */
	async leaveNodePage(): Promise<void> {
		await this.findByTestId('nodes-list-header').locator('button').first().click();
	}

	/** Takes a screenshot of a node's complete page in the panel, without the rest of the page. */
	async takeNodePagePicture(path: string): Promise<void> {
		await this.page.mouse.move(720, 5);
		const takeScreenshot = async () => {
			await this.page.waitForTimeout(500);
			await this.findByTestId('node-creator').screenshot({ path });
		};
		await this.runWithoutScrolling(takeScreenshot, this.findSection('Actions'));
	}

	/**
	 * Adds a node from the panel's search results to the workflow. Its form opens.
	 * @param name as the panel shows it
	 * @param action as the panel shows it; empty for a node without a list of actions
	 * @throws Problem if the panel doesn't list this action for the node
	 */
	async addNode(name: string, action = ''): Promise<void> {
		if (action === '') await this.clickSearchResult(name);
		else {
			const { triggers, actionGroups } = (await this.openNodePage(name)).entries;
			if (![...triggers, ...actionGroups.flatMap(({ entries }) => entries)].includes(action))
				throw new Problem(`The panel does not offer '${action}' of ${name}.`);
			await this.findByTestId('item-iterator-item')
				.filter({ has: this.page.getByText(action, { exact: true }) })
				.first()
				.click();
		}
		await this.findByTestId('ndv').waitFor();
	}

	/** Adds a node to an empty workflow as `addNode` does. @param search the text to search the panel for */
	async addNodeToNewWorkflow(search: string, name: string, action?: string): Promise<void> {
		await this.openNewWorkflow();
		await this.searchNodes(search);
		await this.addNode(name, action);
	}

	findNodeOnCanvas(name: string): Locator {
		return this.page.locator('.vue-flow__node').filter({ hasText: name });
	}

	async openNode(name: string): Promise<void> {
		await this.findNodeOnCanvas(name).first().dblclick();
		await this.findByTestId('ndv-close-button').or(this.findByTestId('node-parameters')).first().waitFor();
	}

	async closeNode(): Promise<void> {
		await this.findByTestId('ndv-close-button').first().click();
		await this.findByTestId('canvas-background').waitFor();
	}

	findField(parameter: string): Locator {
		return this.findByTestId(`parameter-input-${parameter}`).first();
	}

	async fillField(parameter: string, text: string): Promise<void> {
		await this.findField(parameter).locator('input, textarea').first().fill(text);
	}

	/** Reads the text in a single-line field. */
	async readField(parameter: string): Promise<string> {
		return await this.findField(parameter).locator('input').last().inputValue();
	}

	/** Selects one of a field's fixed options. */
	async selectOption(parameter: string, name: string | RegExp): Promise<void> {
		await this.findField(parameter).click();
		await this.page.getByRole('option', { name }).locator('visible=true').first().click();
	}

	/** Selects an operation by its exact name. @param resource the resource to select first; by default, the one that is selected */
	async selectOperation(name: string, resource?: string): Promise<void> {
		if (resource !== undefined) await this.selectExactOption('resource', resource);
		await this.selectExactOption('operation', name);
	}

	private async selectExactOption(parameter: string, name: string): Promise<void> {
		await this.findField(parameter).click();
		const option = this.page.getByRole('option').filter({ has: this.page.getByText(name, { exact: true }) });
		await option.locator('visible=true').first().click();
	}

	/** Adds an optional field with an "Add …" button. */
	async addOption(button: string, name: string | RegExp): Promise<void> {
		await this.findByTestId('collection-parameter-add')
			.filter({ hasText: button })
			.or(this.page.locator(`input[placeholder="${button}"]`))
			.first()
			.click();
		await this.findByTestId('collection-parameter-option')
			.locator('visible=true')
			.filter({ hasText: name })
			.first()
			.click();
	}

	/** The visible entries of the open picker. */
	get pickerEntries(): Locator {
		return this.findByTestId('rlc-item').locator('visible=true');
	}

	/** Selects how a picker finds its record. @param mode such as From list or By Name */
	async selectMode(parameter: string, mode: string): Promise<void> {
		await this.findByTestId(`resource-locator-${parameter}`).locator('[data-test-id="rlc-mode-selector"]').click();
		await this.page.getByRole('option', { name: mode }).locator('visible=true').first().click();
	}

	/** Opens a picker's list and searches it for the text, unless the text is empty. */
	async openPicker(parameter: string, text = ''): Promise<void> {
		await this.findByTestId(`resource-locator-${parameter}`).locator('input').last().click();
		if (text !== '') await this.findByTestId('rlc-search').locator('visible=true').fill(text);
		await this.pickerEntries.filter({ hasText: text }).first().waitFor();
	}

	/** Selects the first entry of a picker's list that contains the text. */
	async selectInPicker(parameter: string, text = ''): Promise<void> {
		await this.openPicker(parameter, text);
		await this.pickerEntries.filter({ hasText: text }).first().click();
	}

	/** Waits until a multiple-choice list has been loaded, and selects its first entry. @returns the entry's name */
	async selectFirstChoice(parameter: string): Promise<string> {
		await this.page.waitForLoadState('networkidle');
		await this.page.waitForTimeout(1500);
		await this.findField(parameter).locator('.el-select').first().click();
		const entry = this.page.locator('.el-select-dropdown__item:visible').first();
		const name = await entry.innerText();
		await entry.click();
		await this.page.keyboard.press('Tab');
		await this.page.getByText('Parameters', { exact: true }).first().click();
		return name.trim();
	}

	/** Runs the node whose form is open and waits until it has ended. @returns the error message, if it failed */
	async executeNode(): Promise<string | undefined> {
		const success = this.page.getByText('Node executed successfully');
		const failure = this.findByTestId('node-error-message');
		const clickExecute = () => this.findByTestId('node-execute-button').first().click();
		const waitForResult = () => success.or(failure).first().waitFor({ timeout: ACTION_TIMEOUT_MS });
		// The success message of an earlier run must have disappeared first.
		await success.first().waitFor({ state: 'hidden', timeout: ACTION_TIMEOUT_MS });
		if (await failure.first().isVisible()) await clickExecute().then(waitForResult);
		// Waiting starts before the click, because on a busy machine the message may be gone when the click returns.
		else await Promise.all([waitForResult(), clickExecute()]);
		return (await failure.first().isVisible()) ? await failure.first().innerText() : undefined;
	}

	/** Moves the open form to the right by this many pixels, or to the left if negative, to show more of the input or the output. */
	async moveForm(pixels: number): Promise<void> {
		const box = await this.findByTestId('panel-drag-button').first().boundingBox();
		if (!box) throw new Problem('The form cannot be moved.');
		const { mouse } = this.page;
		const y = box.y + box.height / 2;
		await mouse.move(box.x + box.width / 2, y);
		await mouse.down();
		await mouse.move(box.x + box.width / 2 + pixels, y, { steps: 10 });
		await mouse.up();
	}

	/** Shows the output in a view (Schema, Table, JSON or Binary). @returns the text of the output panel */
	async readOutput(view: string): Promise<string> {
		const panel = this.findByTestId('output-panel');
		await panel.locator('[data-test-id="ndv-run-data-display-mode"]').getByText(view, { exact: true }).click();
		await this.page.waitForTimeout(500);
		return await panel.innerText();
	}
}
