import type { Locator, Page } from 'playwright-core';
import { Problem } from './problem';

/** Takes out of a picture what lies over the canvas. */
const OVER_THE_CANVAS =
	'.vue-flow__panel, .el-notification, [data-test-id="execute-workflow-button"] { visibility: hidden !important }';

/** How long an action in the editor may take; a busy machine needs it. */
export const PATIENCE = 60_000;

/** What the panel offers of a node: events that start a workflow, and operations. */
export interface Offered {
	triggers: string[];
	actions: string[];
}

/** n8n's editor, with the words of a person who uses it. Fields are named by their parameters. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** What n8n's own tests find things by. */
	byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	/** @param path of a page of n8n's: /home/credentials */
	async open(path: string): Promise<void> {
		await this.page.goto(this.url + path);
	}

	/** Takes a picture when nothing on the page changes any more. */
	async picture(path: string): Promise<void> {
		// Hints at the mouse pointer would cover the picture, and so would messages in the corner, some of which stay.
		await this.page.mouse.move(720, 5);
		await this.page.locator('.el-notification__closeBtn').evaluateAll((buttons) => {
			for (const button of buttons) if (button instanceof HTMLElement) button.click();
		});
		await this.page.waitForFunction(() => document.querySelectorAll('.el-notification').length === 0);
		await this.page.waitForTimeout(500);
		await this.page.screenshot({ path });
	}

	/** Takes a picture of the open workflow, all of it and nothing but that. */
	async canvasPicture(path: string): Promise<void> {
		const usual = this.page.viewportSize();
		await this.page.setViewportSize({ width: 1920, height: 1000 });
		await this.nodeOnCanvas('').first().waitFor();
		await this.byTestId('zoom-to-fit').click();
		// Away from everything that shows a hint under the mouse pointer.
		await this.page.mouse.move(960, 5);
		await this.page.waitForTimeout(1000);
		const boxes = await this.nodeOnCanvas('').evaluateAll((nodes) =>
			nodes.map((node) => node.getBoundingClientRect().toJSON() as DOMRect),
		);
		const left = Math.min(...boxes.map((box) => box.left));
		const top = Math.min(...boxes.map((box) => box.top));
		const right = Math.max(...boxes.map((box) => box.right));
		const bottom = Math.max(...boxes.map((box) => box.bottom));
		const clip = { x: left - 24, y: top - 24, width: right - left + 48, height: bottom - top + 48 };
		await this.page.screenshot({ path, clip, style: OVER_THE_CANVAS });
		if (usual) await this.page.setViewportSize(usual);
	}

	/** Makes the window as high as the open form, or another part of the page, does the work, and restores the window. */
	async whole(work: () => Promise<void>, part = this.byTestId('node-parameters')): Promise<void> {
		const usual = this.page.viewportSize();
		const hidden = await part.first().evaluate((inside) => {
			for (let each: Element | null = inside; each; each = each.parentElement)
				if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY))
					return each.scrollHeight - each.clientHeight;
			return 0;
		});
		if (usual) await this.page.setViewportSize({ ...usual, height: usual.height + hidden });
		await work();
		if (usual) await this.page.setViewportSize(usual);
	}

	/** The panel with all nodes, as it opens in an empty workflow. */
	async newWorkflow(): Promise<void> {
		await this.open('/workflow/new');
		await this.byTestId('canvas-add-button').click();
	}

	/** The panel with all nodes, as it opens behind a node on the canvas. */
	async addAfter(node: string): Promise<void> {
		await this.nodeOnCanvas(node).locator('[data-test-id="canvas-handle-plus"]').first().click();
	}

	/** The panel with all tools, as it opens below an agent on the canvas. */
	async addTool(agent: string): Promise<void> {
		// Half hidden by the canvas's own controls in small windows.
		await this.nodeOnCanvas(agent).locator('[data-test-id="canvas-handle-plus"]').last().click({ force: true });
	}

	/** Searches the panel with all nodes. @returns the names that it offers, best first */
	async searchNodes(text: string): Promise<string[]> {
		await this.page
			.getByPlaceholder(/^Search/)
			.last()
			.fill(text);
		const names = this.byTestId('node-creator-item-name');
		await names.first().waitFor();
		await this.page.waitForTimeout(700);
		return (await names.allInnerTexts()).map((name) => name.trim());
	}

	/** Opens the panel's page of a node that a search has found. @param name as the panel shows it */
	private async openEntry(name: string): Promise<void> {
		await this.byTestId('item-iterator-item')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.first()
			.click();
	}

	/** The sections of a node's page in the panel: Triggers and Actions. */
	private section(name: string): Locator {
		return this.page
			.locator('[data-category-collapsed]')
			.filter({ has: this.page.locator(`[data-keyboard-nav-id^="${name}"]`) });
	}

	/** The entries of a section, which is unfolded before if it is not. */
	private async entriesOf(section: Locator): Promise<Locator> {
		if ((await section.getAttribute('data-category-collapsed')) === 'true')
			await section.locator(this.byTestId('node-creator-category-item')).click();
		return section.locator(this.byTestId('node-creator-item-name'));
	}

	/** Opens the panel's page of a node that a search has found, and reads what it offers. @param name as the panel shows it */
	async openActions(name: string): Promise<{ headings: string[]; offered: Offered }> {
		await this.openEntry(name);
		const headings = this.byTestId('node-creator-category-item');
		await headings.first().waitFor();
		const offered: Offered = { triggers: [], actions: [] };
		for (const [section, list] of [
			['Triggers', offered.triggers],
			['Actions', offered.actions],
		] as const) {
			if ((await this.section(section).count()) === 0) continue;
			const entries = await this.entriesOf(this.section(section));
			await entries.first().waitFor();
			list.push(...(await entries.allInnerTexts()).map((text) => text.trim()));
		}
		return { headings: (await headings.allInnerTexts()).map((text) => text.trim()), offered };
	}

	/** Goes back from a node's page in the panel to where one searches. */
	async leaveActions(): Promise<void> {
		await this.byTestId('nodes-list-header').locator('button').first().click();
	}

	/** Takes a picture of a node's page in the panel, all that it lists, and of nothing else. */
	async actionsPicture(path: string): Promise<void> {
		await this.page.mouse.move(720, 5);
		const take = async () => {
			await this.page.waitForTimeout(500);
			await this.byTestId('node-creator').screenshot({ path });
		};
		await this.whole(take, this.section('Actions'));
	}

	/**
	 * Takes a node from the panel into the workflow; its form opens.
	 * @param name as the panel shows it
	 * @param action of what it can do, as the panel shows it; a node without a list of that goes straight into the workflow
	 */
	async takeNode(name: string, action = ''): Promise<void> {
		if (action === '') await this.openEntry(name);
		else {
			const { offered } = await this.openActions(name);
			if (![...offered.triggers, ...offered.actions].includes(action))
				throw new Problem(`The panel does not offer '${action}' of ${name}.`);
			await this.byTestId('item-iterator-item')
				.filter({ has: this.page.getByText(action, { exact: true }) })
				.first()
				.click();
		}
		await this.byTestId('ndv').waitFor();
	}

	/** Takes a node into an empty workflow, as takeNode does. @param search by which the panel finds it */
	async newNode(search: string, name: string, action?: string): Promise<void> {
		await this.newWorkflow();
		await this.searchNodes(search);
		await this.takeNode(name, action);
	}

	nodeOnCanvas(name: string): Locator {
		return this.page.locator('.vue-flow__node').filter({ hasText: name });
	}

	async openNode(name: string): Promise<void> {
		await this.nodeOnCanvas(name).first().dblclick();
		await this.byTestId('ndv-close-button').or(this.byTestId('node-parameters')).first().waitFor();
	}

	async closeNode(): Promise<void> {
		await this.byTestId('ndv-close-button').first().click();
		await this.byTestId('canvas-background').waitFor();
	}

	field(parameter: string): Locator {
		return this.byTestId(`parameter-input-${parameter}`).first();
	}

	async fill(parameter: string, text: string): Promise<void> {
		await this.field(parameter).locator('input, textarea').first().fill(text);
	}

	/** What a field of one line shows. */
	async shown(parameter: string): Promise<string> {
		return await this.field(parameter).locator('input').last().inputValue();
	}

	/** Chooses one of a field's fixed options. */
	async chooseOption(parameter: string, name: string | RegExp): Promise<void> {
		await this.field(parameter).click();
		await this.page.getByRole('option', { name }).locator('visible=true').first().click();
	}

	/** Adds a field of those behind a button "Add ...". */
	async addOption(button: string, name: string | RegExp): Promise<void> {
		await this.byTestId('collection-parameter-add')
			.filter({ hasText: button })
			.or(this.page.locator(`input[placeholder="${button}"]`))
			.first()
			.click();
		await this.byTestId('collection-parameter-option')
			.locator('visible=true')
			.filter({ hasText: name })
			.first()
			.click();
	}

	/** The entries of a picker's list that is open. */
	get entries(): Locator {
		return this.byTestId('rlc-item').locator('visible=true');
	}

	/** Opens a picker's list, and searches it unless the text is empty. */
	async openPicker(parameter: string, text = ''): Promise<void> {
		await this.byTestId(`resource-locator-${parameter}`).locator('input').last().click();
		if (text !== '') await this.byTestId('rlc-search').locator('visible=true').fill(text);
		await this.entries.filter({ hasText: text }).first().waitFor();
	}

	/** Chooses from a picker's list. @param text what the entry has; the first of all if it is empty */
	async pick(parameter: string, text = ''): Promise<void> {
		await this.openPicker(parameter, text);
		await this.entries.filter({ hasText: text }).first().click();
	}

	/** Chooses the first entry of a list of several, which depends on what was chosen just before. */
	async pickOneOfSeveral(parameter: string): Promise<string> {
		await this.page.waitForLoadState('networkidle');
		await this.page.waitForTimeout(1500);
		await this.field(parameter).locator('.el-select').first().click();
		const entry = this.page.locator('.el-select-dropdown__item:visible').first();
		const name = await entry.innerText();
		await entry.click();
		await this.page.keyboard.press('Tab');
		await this.page.getByText('Parameters', { exact: true }).first().click();
		return name.trim();
	}

	/** Runs the node whose form is open, and waits for the end. @returns what went wrong, if something did */
	async execute(): Promise<string | undefined> {
		const success = this.page.getByText('Node executed successfully');
		const failure = this.byTestId('node-error-message');
		const click = async () => this.byTestId('node-execute-button').first().click();
		const end = async () => success.or(failure).first().waitFor({ timeout: PATIENCE });
		// A message of an earlier run does not count.
		await success.first().waitFor({ state: 'hidden', timeout: PATIENCE });
		if (await failure.first().isVisible()) await click().then(end);
		// On a busy machine the message is gone by the time the click is over.
		else await Promise.all([end(), click()]);
		return (await failure.first().isVisible()) ? await failure.first().innerText() : undefined;
	}

	/** Moves the open form to the side by so many pixels, so that the input or the output has more room. */
	async moveForm(by: number): Promise<void> {
		const box = await this.byTestId('panel-drag-button').first().boundingBox();
		if (!box) throw new Problem('The form cannot be moved.');
		const { mouse } = this.page;
		const y = box.y + box.height / 2;
		await mouse.move(box.x + box.width / 2, y);
		await mouse.down();
		await mouse.move(box.x + box.width / 2 + by, y, { steps: 10 });
		await mouse.up();
	}

	/** Looks at the output as Schema, Table, JSON or Binary; the whole panel as text. */
	async output(view: string): Promise<string> {
		const panel = this.byTestId('output-panel');
		await panel.locator('[data-test-id="ndv-run-data-display-mode"]').getByText(view, { exact: true }).click();
		await this.page.waitForTimeout(500);
		return await panel.innerText();
	}
}
