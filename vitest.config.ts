import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts", "packages/*/{test,examples}/**/*.test.ts"],
		// They have a script of their own: test/long/vitest.config.ts.
		exclude: ["**/node_modules/**", "{test,packages}/**/*.long.test.ts"],
		// Every request of the bot is counted, with what Discord's schema says of it; no log tells a secret.
		globalSetup: ["test/schema-report/count-requests.ts", "test/log-redaction/check-logs.ts"],
		setupFiles: ["test/schema-report/before-each-file.ts", "test/log-redaction/before-each-file.ts"],
		// Most files wait for sockets and children; by default one core would be left idle. Each worker loads the product and
		// compiles what is hot for itself: a fourth costs two cores more than they waited.
		maxWorkers: 3,
		// Nothing of ours lives at file scope, so files may share a process and its loaded modules.
		isolate: false,
		// Node runs these files as they are, as it runs the product: nothing is rewritten for mocks that no test makes.
		experimental: { viteModuleRunner: false, nodeLoader: false },
		// The slowest end-to-end story renders a real video on two cores, which may be busy with something else.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// At its end a worker writes what it compiled to the cache of tools/node24.mjs: right after npm ci, on a slow machine, that
		// took longer than the default of 10 s.
		teardownTimeout: 30_000,
		// What is waited for comes soon; how soon is no concern of a test.
		expect: { poll: { timeout: 20_000 } },
	},
});
