/**
 * Runs the installed Chromium over its own protocol, without a download. All files of a worker share one browser,
 * which ends with the worker; each page is a new user without storage.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { beforeEach, expect, onTestFinished } from "vitest";

const USUAL_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
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

const executablePath = findChromium();
let browser: Promise<Browser> | undefined;

/** The path of the browser, or `undefined`; stderr then names the skipped tests. */
function findChromium(): string | undefined {
	const found = [env["TEST_CHROMIUM"], ...USUAL_PATHS].find((path) => path !== undefined && existsSync(path));
	if (found === undefined)
		process.stderr.write(
			`\nSKIPPED: tests in a browser. There is none at ${USUAL_PATHS.join(", ")}; TEST_CHROMIUM may name one\n\n`,
		);
	return found;
}

interface PageOptions {
	readonly width?: number;
	readonly height?: number;
	readonly colorScheme?: "dark" | "light";
	/** An element that the page shows once it is usable. */
	readonly ready?: string;
}

export type OpenTab = ReturnType<typeof createBrowser>;

export interface Tab {
	readonly page: Page;
	/** The errors of the page since it was opened. */
	readonly browserErrors: readonly string[];
	/** The violations that axe finds, with their places; empty if there are none. */
	readonly violations: () => Promise<readonly string[]>;
	/** Saves a screenshot to `test-output/`. */
	readonly screenshot: (name: string) => Promise<void>;
}

/**
 * Returns a function that opens a page for a new user. The browser starts with the first page. The tests of the file are
 * skipped if there is no browser.
 */
export function createBrowser() {
	beforeEach(({ skip }) => skip(executablePath === undefined));

	return async (
		address: string,
		{ width = 1280, height = 800, colorScheme = "dark", ready = "body.ready" }: PageOptions = {},
	): Promise<Tab> => {
		browser ??= chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: FLAGS });
		const startedBrowser = await browser;
		const context = await startedBrowser.newContext({
			viewport: { width, height },
			colorScheme,
			locale: "en-US",
			reducedMotion: "reduce",
		});
		onTestFinished(() => context.close());
		const page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		const browserErrors: string[] = [];
		page.on("pageerror", (error) => browserErrors.push(error.message));
		// Includes violations of the content security policy. Failed requests to an unreachable server are not the page's
		// mistake.
		page.on("console", (line) => {
			if (line.type() === "error" && !line.text().startsWith("Failed to load resource"))
				browserErrors.push(line.text());
		});
		await page.goto(address);
		await page.locator(ready).waitFor();
		return {
			page,
			browserErrors,
			async violations() {
				await page.evaluate(WAIT_FOR_TRANSITIONS);
				await page.evaluate(axe.source);
				const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
				return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
			},
			async screenshot(name) {
				mkdirSync(SCREENSHOTS_DIR, { recursive: true });
				await page.screenshot({ path: join(SCREENSHOTS_DIR, `${name}.png`) });
			},
		};
	};
}

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string }[];
}

/** Expects no violation of axe, no error of the browser, and no page that is wider than its window. Saves a screenshot with the name. */
export async function expectNoErrors(tab: Tab, screenshotName?: string): Promise<void> {
	if (screenshotName !== undefined) await tab.screenshot(screenshotName);
	expect(await tab.violations()).toStrictEqual([]);
	expect(tab.browserErrors).toStrictEqual([]);
	expect(Number(await tab.page.evaluate("document.documentElement.scrollWidth - innerWidth"))).toBeLessThanOrEqual(0);
}
