import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, selectors, type BrowserContext, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { LOGIN } from '../support/n8n/api.mts';
import type { Harness } from '../support/n8n/harness.mts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const CREDENTIALS = 'home/credentials';
/** What n8n's router shows is there in a second. */
const ROUTED_MS = 15_000;
const PICTURES = fileURLToPath(new URL('../../.github/images/', import.meta.url));

/** Why there is no browser to test in; undefined: there is one. */
export const noBrowser = existsSync(CHROMIUM)
	? undefined
	: `no Chromium at ${CHROMIUM}; Debian's package chromium brings it`;
if (noBrowser && process.env.CI) throw new Error(`CI skips nothing: ${noBrowser}.`);

// n8n's own name for it, not Playwright's.
selectors.setTestIdAttribute('data-test-id');

/** Whether this run takes the pictures of the README. */
export const isTaken = Boolean(process.env.TAKE_PICTURES);

/** Gives the tests of this file n8n's editor, in a headless browser that is logged in as the owner. */
export function useEditor(harness: Pick<Harness, 'n8n'>): Editor {
	const editor = new Editor(harness);
	let context: BrowserContext | undefined;
	beforeAll(async () => {
		const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
		context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
		context.setDefaultTimeout(30_000);
		const { email, password } = LOGIN;
		await context.request.post(`${harness.n8n.url}rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		editor.page = await context.newPage();
	});
	afterEach(async ({ task }) => {
		// What a failed test leaves open is in nobody's way: the next one has a page of its own.
		if (task.result?.state !== 'fail' || context === undefined) return;
		const shown = await editor.page.locator('body').innerText();
		console.error(`When '${task.name}' failed, the page was:\n${shown}`);
		await editor.page.close();
		editor.page = await context.newPage();
	});
	afterAll(async () => await context?.browser()?.close());
	return editor;
}

class Editor {
	page!: Page;
	/** n8n saves by itself what may have been changed, and comes back to it when it has. */
	private isChanged = false;
	private readonly frames: Array<{ picture: Buffer; ms: number }> = [];

	constructor(private readonly harness: Pick<Harness, 'n8n'>) {}

	/**
	 * Goes to a page of n8n, from that of the credentials, so that nothing is left of the last one:
	 * after a workflow that n8n was loaded with, it would go on to show that one. By n8n's own router,
	 * where n8n is loaded and nothing was changed: that takes a second, and loading takes ten.
	 */
	async goTo(path: string): Promise<void> {
		const { page, harness } = this;
		const { url } = harness.n8n;
		if (this.isChanged || !page.url().startsWith(url)) await page.goto(`${url}${CREDENTIALS}`);
		else await this.route(CREDENTIALS);
		this.isChanged = false;
		await page.getByTestId('resources-list-item').first().waitFor();
		await this.route(path);
	}

	private async route(path: string): Promise<void> {
		const router = "document.querySelector('#app').__vue_app__.config.globalProperties.$router";
		await this.page.evaluate(`${router}.push('/${path}')`);
	}

	/** Opens the panel of a node of a workflow. */
	async openNode(workflowId: string, name: string): Promise<void> {
		const { nodes } = await this.harness.n8n.api.rest<{
			nodes: Array<{ id: string; name: string }>;
		}>('GET', `workflows/${workflowId}`);
		const id = nodes.find((node) => node.name === name)?.id;
		if (id === undefined) throw new Error(`Workflow ${workflowId} has no node ${name}.`);
		const path = `workflow/${workflowId}/${id}`;
		await this.goTo(path);
		const panel = this.page.getByTestId('node-parameters');
		const isOpen = await panel.waitFor({ timeout: ROUTED_MS }).then(
			() => true,
			() => false,
		);
		if (isOpen) return;
		// Once in hundreds of times n8n's router shows the workflow without the panel.
		await this.page.goto(`${this.harness.n8n.url}${path}`);
		this.isChanged = true;
		await panel.waitFor();
	}

	/** Goes from the panel of a node to the canvas. */
	async closeNode(): Promise<void> {
		const { page } = this;
		await page.getByTestId('ndv-close-button').or(page.getByTestId('back-to-canvas')).click();
	}

	/** The nodes panel's search, for the next step of the workflow that is open. */
	async searchNodes(words: string): Promise<Locator> {
		this.isChanged = true;
		const { page } = this;
		const search = page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible())) await page.getByTestId('node-creator-plus-button').click();
		await search.fill(words);
		return page.getByTestId('node-creator-item-name');
	}

	/** The input of a parameter, by the parameter's name. */
	field(name: string): Locator {
		this.isChanged = true;
		return this.page.getByTestId(`parameter-input-${name}`).locator('input').first();
	}

	/** Chooses from the list of a parameter. */
	async choose(list: Locator, option: string): Promise<void> {
		this.isChanged = true;
		await list.click();
		await this.page
			.getByTestId('parameter-input-item')
			.and(this.page.locator(':visible'))
			.getByText(option, { exact: true })
			.click();
	}

	/** In early 2.x it is a field. */
	private get addButton(): Locator {
		const { page } = this;
		return page.getByTestId('collection-parameter-add').or(page.locator('.add-option input'));
	}

	async addOption(name: string): Promise<void> {
		this.isChanged = true;
		await this.addButton.click();
		await this.page
			.getByTestId('collection-parameter-option')
			.filter({ visible: true })
			.getByText(name, { exact: true })
			.click();
	}

	/** Drags a column of the input panel into a field, as a user does. */
	async dragColumn(column: string, parameter: string): Promise<void> {
		const { page } = this;
		const field = page.getByTestId(`parameter-input-${parameter}`);
		const middle = async (place: Locator): Promise<[number, number]> => {
			const box = await place.boundingBox();
			if (box === null) throw new Error(`${column} cannot be dragged to ${parameter}.`);
			return [box.x + box.width / 2, box.y + box.height / 2];
		};
		const pill = page.getByTestId('run-data-schema-item').getByText(column, { exact: true });
		await page.mouse.move(...(await middle(pill)));
		await page.mouse.down();
		// The fields move when the dragging begins.
		await page.mouse.move(...(await middle(field)), { steps: 10 });
		await page.mouse.move(...(await middle(field)), { steps: 10 });
		await page.mouse.up();
		await field.getByText(`{{ $json.${column} }}`).waitFor();
	}

	/** Takes a picture for the README, where `TAKE_PICTURES` is set: else a run changes no file. */
	async takePicture(name: string): Promise<void> {
		if (!isTaken) return;
		const path = `${PICTURES}${name}.png`;
		await mkdir(dirname(path), { recursive: true });
		const picture = await this.page.screenshot({ animations: 'disabled' });
		await sharp(picture).png({ palette: true, colours: 128 }).toFile(path);
	}

	/** Takes a frame of a film, which is shown for so long. */
	async takeFrame(ms: number): Promise<void> {
		if (!isTaken) return;
		this.frames.push({ picture: await this.page.screenshot({ animations: 'disabled' }), ms });
	}

	/** Makes a moving picture of the frames, likewise. */
	async takeFilm(name: string): Promise<void> {
		if (!isTaken) return;
		const pictures = this.frames.map(
			async ({ picture }) => await sharp(picture).resize({ width: 960 }).png().toBuffer(),
		);
		await sharp(await Promise.all(pictures), { join: { animated: true } })
			.gif({ delay: this.frames.map(({ ms }) => ms), colours: 64 })
			.toFile(`${PICTURES}${name}.gif`);
	}
}
