/** The page in a real browser: npm run test:browser. It takes as long as a third of all other tests, so it is not among them. */
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";

export default defineConfig({
	test: { ...everything.test, include: ["test/browser/**/*.browser.ts"] },
});
