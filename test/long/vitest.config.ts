/**
 * What takes long, by `NAME.long.test.ts`: processes that are started and killed, stores and queues on servers, encoders at work,
 * every picture and every piece of music. npm run test:long; everything else is in npm test.
 */
import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";

export default defineConfig({
	test: { ...everything.test, include: ["{test,packages}/**/*.long.test.ts"], exclude: [] },
});
