/**
 * The slow tests, named `NAME.long.test.ts`: processes that are started and killed, stores and queues on servers, libraries
 * for Discord, encoders, and generated videos and music. Run them with npm run test:long; npm test runs all others.
 */
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";

export default defineConfig({
	test: { ...everything.test, include: ["{test,packages}/**/*.long.test.ts"], exclude: [] },
});
