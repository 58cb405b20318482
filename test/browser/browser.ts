/**
 * Runs the installed Chromium over its own protocol, without a download. All tests of a file share one browser; each
 * page is a new user without storage.
 */
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";

const USUAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
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
const PATIENCE_MS = 60_000;
const PICTURES = fileURLToPath(new URL("../../test-output/", import.meta.url));
/** Running color transitions would fail the contrast check: waits for two frames and all animations. */
const SETTLED = `(async () => {
	for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
	const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
	await Promise.allSettled(changing.map(({ finished }) => finished));
})()`;

/** The path of the browser, or `undefined`; stderr then names the skipped tests. */
export function findChromium(): string | undefined {
	const found = [env["TEST_CHROMIUM"], ...USUAL].find((path) => path !== undefined && isProgram(path));
	if (found === undefined)
		process.stderr.write(
			`\nSKIPPED: the page in a real browser, because there is none at ${USUAL.join(", ")} (TEST_CHROMIUM may name one)\n\n`,
		);
	return found;
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

interface Look {
	readonly width?: number;
	readonly height?: number;
	readonly colorScheme?: "dark" | "light";
	/** An element that the page shows once it is usable. */
	readonly ready?: string;
}

export interface Tab {
	readonly page: Page;
	/** The errors of the browser since it was opened. */
	readonly complaints: readonly string[];
	/** The violations that axe finds, with their places; empty if there are none. */
	readonly violations: () => Promise<readonly string[]>;
	/** Saved to `test-output/`. */
	readonly picture: (name: string) => Promise<void>;
}

/** Opens the page for a new user. */
export function createBrowser(executablePath: string | undefined) {
	let browser: Promise<Browser> | undefined;
	afterAll(async () => await (await browser)?.close());

	return async (
		address: string,
		{ width = 1280, height = 800, colorScheme = "dark", ready = "body.ready" }: Look = {},
	): Promise<Tab> => {
		browser ??= chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: FLAGS });
		const context = await (
			await browser
		).newContext({
			viewport: { width, height },
			colorScheme,
			locale: "en-US",
			reducedMotion: "reduce",
		});
		onTestFinished(() => context.close());
		const page = await context.newPage();
		page.setDefaultTimeout(PATIENCE_MS);
		const complaints: string[] = [];
		page.on("pageerror", (error) => complaints.push(error.message));
		// Includes violations of the content security policy. Failed requests to an unreachable server are not the page's
		// mistake.
		page.on("console", (line) => {
			if (line.type() === "error" && !line.text().startsWith("Failed to load resource")) complaints.push(line.text());
		});
		await page.goto(address);
		await page.locator(ready).waitFor();
		return {
			page,
			complaints,
			async violations() {
				await page.evaluate(SETTLED);
				await page.evaluate(axe.source);
				const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
				return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
			},
			async picture(name) {
				mkdirSync(PICTURES, { recursive: true });
				await page.screenshot({ path: join(PICTURES, `${name}.png`) });
			},
		};
	};
}

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string }[];
}

/** Expects no violation of axe and no error of the browser. */
export async function expectInOrder({ violations, complaints }: Tab): Promise<void> {
	expect(await violations()).toStrictEqual([]);
	expect(complaints).toStrictEqual([]);
}
