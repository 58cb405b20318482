/**
 * Runs the installed Chromium over its own protocol. All files of a worker share one browser, which ends with the worker;
 * each page is a new user without storage.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import { assert, expect, onTestFinished } from "vitest";
import { findChromium } from "./find-chromium.ts";

const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--autoplay-policy=no-user-gesture-required",
];
/** A busy machine draws slowly. */
const TIMEOUT_MS = 60_000;
const SCREENSHOTS_DIR = fileURLToPath(new URL("../../test-output/", import.meta.url));
/** Waits for two frames and all transitions: colors in transition would fail the contrast check. */
const WAIT_FOR_TRANSITIONS = `(async () => {
	for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
	const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
	await Promise.allSettled(changing.map(({ finished }) => finished));
})()`;

let browser: Promise<Browser> | undefined;
/** The errors of each page since it was opened. */
const errorsOf = new WeakMap<Page, string[]>();

export interface PageOptions {
	readonly width?: number;
	readonly height?: number;
	readonly colorScheme?: "dark" | "light";
	/** An element that the page shows once it is usable. */
	readonly ready?: string;
}

/** Opens a page for a new user. The browser starts with the first page. */
export async function openTab(
	address: string,
	{ width = 1280, height = 800, colorScheme = "dark", ready = "#composer-input" }: PageOptions = {},
): Promise<Page> {
	browser ??= chromium.launch({ executablePath: findChromium() ?? assert.fail("no browser"), args: FLAGS });
	const context = await (
		await browser
	).newContext({ viewport: { width, height }, colorScheme, locale: "en-US", reducedMotion: "reduce" });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	page.setDefaultTimeout(TIMEOUT_MS);
	const errors: string[] = [];
	errorsOf.set(page, errors);
	page.on("pageerror", (error) => errors.push(error.message));
	// Includes violations of the content security policy. Failed requests to an unreachable server are not the page's
	// mistake.
	page.on("console", (line) => {
		if (line.type() === "error" && !line.text().startsWith("Failed to load resource")) errors.push(line.text());
	});
	await page.goto(address);
	await page.locator(ready).waitFor();
	return page;
}

/** Types a command of the bot on the page of the playground, and sends it. */
export async function sendCommand(page: Page, command: string): Promise<void> {
	await page.locator("#composer-input").fill(command);
	await page.keyboard.press("Enter");
}

/** Saves a screenshot to `test-output/`. */
export async function screenshot(page: Page, name: string): Promise<void> {
	mkdirSync(SCREENSHOTS_DIR, { recursive: true });
	await page.screenshot({ path: join(SCREENSHOTS_DIR, `${name}.png`) });
}

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string }[];
}

/** Expects no violation of axe, no error of the browser, and no page that is wider than its window. Saves a screenshot with the name. */
export async function expectNoErrors(page: Page, screenshotName?: string): Promise<void> {
	if (screenshotName !== undefined) await screenshot(page, screenshotName);
	await page.evaluate(WAIT_FOR_TRANSITIONS);
	await page.evaluate(axe.source);
	const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
	expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))).toStrictEqual(
		[],
	);
	expect(errorsOf.get(page)).toStrictEqual([]);
	expect(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))).toBeLessThanOrEqual(0);
}

export const hasFocus = (element: Locator): Promise<boolean> =>
	element.evaluate((each) => each === each.ownerDocument.activeElement);
