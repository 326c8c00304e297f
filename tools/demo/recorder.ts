import type { Locator, Page } from 'playwright-core';

import { encodeAnimatedWebp, type Frame } from './animatedWebp';

const QUALITY = 80;
const CURSOR_ID = 'recorded-cursor';
/** The pictures of a movement of the mouse, and how long each is shown. */
const MOVEMENT_PICTURES = 4;
const MOVEMENT_PICTURE_MS = 70;

/** Records a moving picture of a page while it is used. A drawn mouse pointer shows where the user clicks. */
export class Recorder {
	private readonly frames: Frame[] = [];
	private position = { x: 600, y: 300 };

	/** @param size the size of the page, which must not change while it is recorded */
	constructor(
		private readonly page: Page,
		private readonly size: { width: number; height: number },
	) {}

	/** Takes a picture of the page, which is shown for this time. */
	async takePicture(durationMs: number): Promise<void> {
		await this.drawCursor();
		const session = await this.page.context().newCDPSession(this.page);
		const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
		await session.detach();
		this.frames.push({ picture: Buffer.from(data, 'base64'), durationMs });
	}

	/** Moves the mouse pointer to an element, clicks it, and waits until the page has changed. */
	async click(element: Locator): Promise<void> {
		await element.scrollIntoViewIfNeeded();
		const box = await this.findBox(element);
		const start = this.position;
		const end = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
		for (let picture = 1; picture <= MOVEMENT_PICTURES; picture++) {
			const progress = picture / MOVEMENT_PICTURES;
			this.position = {
				x: start.x + (end.x - start.x) * progress,
				y: start.y + (end.y - start.y) * progress,
			};
			await this.page.mouse.move(this.position.x, this.position.y);
			await this.takePicture(picture === MOVEMENT_PICTURES ? 350 : MOVEMENT_PICTURE_MS);
		}
		await this.page.mouse.click(end.x, end.y);
		await this.page.waitForTimeout(700);
	}

	/** Enters a text into a field, with a picture for each word. */
	async enterText(field: Locator, text: string): Promise<void> {
		const words = text.split(' ');
		for (let count = 1; count <= words.length; count++) {
			await field.fill(words.slice(0, count).join(' '));
			await this.page.waitForTimeout(500);
			await this.takePicture(400);
		}
	}

	/** Scrolls an element down, in steps of this many pixels with a picture each. */
	async scroll(element: Locator, pixels: number, steps: number): Promise<void> {
		const box = await this.findBox(element);
		this.position = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		await this.page.mouse.move(this.position.x, this.position.y);
		for (let step = 0; step < steps; step++) {
			await this.page.mouse.wheel(0, pixels);
			await this.page.waitForTimeout(300);
			await this.takePicture(450);
		}
	}

	/** Returns the recording as a WebP file. */
	encode(): Buffer {
		return encodeAnimatedWebp(this.frames, this.size);
	}

	private async findBox(element: Locator) {
		const box = await element.boundingBox();
		if (!box) throw new Error(`The page doesn't show this element: ${String(element)}`);
		return box;
	}

	private async drawCursor(): Promise<void> {
		await this.page.evaluate(
			({ id, x, y }) => {
				const cursor = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
				cursor.id = id;
				cursor.style.cssText = `position:fixed;left:${x}px;top:${y}px;z-index:2147483647;pointer-events:none`;
				cursor.innerHTML =
					'<svg width="26" height="26" viewBox="0 0 24 24"><path d="M3 2l7 19 3-8 8-3z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>';
			},
			{ id: CURSOR_ID, ...this.position },
		);
	}
}
