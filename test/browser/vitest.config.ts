/**
 * The pages in a real browser: npm run test:browser. It takes a third of the time of all other tests, so it has its
 * own script. Without a browser there are no tests.
 */
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";
import { findChromium } from "./find-chromium.ts";

const hasBrowser = findChromium() !== undefined;

export default defineConfig({
	test: {
		...everything.test,
		include: hasBrowser ? ["test/browser/**/*.browser.ts"] : [],
		passWithNoTests: !hasBrowser,
	},
});
