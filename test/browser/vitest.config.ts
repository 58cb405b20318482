/**
 * The pages in a real browser: npm run test:browser. It takes a third of the time of all other tests, so it has its
 * own script.
 */
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";

export default defineConfig({
	test: { ...everything.test, include: ["test/browser/**/*.browser.ts"] },
});
