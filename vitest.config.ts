import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts", "packages/*/{test,examples}/**/*.test.ts"],
		// Long tests have their own configuration: test/long/vitest.config.ts.
		exclude: ["**/node_modules/**", "{test,packages}/**/*.long.test.ts"],
		// Counts the bot's requests by their verdict against Discord's schema, and fails if a log contains a secret.
		globalSetup: ["test/run-checks/check-run.ts"],
		setupFiles: ["test/run-checks/before-each-file.ts"],
		// Most files wait for sockets and child processes, so the default of one worker per core leaves a core idle. Each worker
		// loads and compiles the product itself: on two cores, a fourth worker makes the run longer.
		maxWorkers: 3,
		// No module has mutable state at file scope, so files can share a process and its loaded modules.
		isolate: false,
		// Node runs the files unchanged, like the product. Rewriting is needed only for module mocks, which no test uses.
		experimental: { viteModuleRunner: false, nodeLoader: false },
		// These end only what hangs, so no test needs a limit of its own: on busy cores of a slow machine, tests that start processes
		// or encode media take ten times as long.
		testTimeout: 240_000,
		hookTimeout: 240_000,
		// At its end a worker writes its compiled code to the cache of tools/node24.mjs. Right after npm ci, on a slow machine, that
		// takes longer than the default of 10 s.
		teardownTimeout: 30_000,
		// Shorter than a test, so that a failure shows the value that was polled.
		expect: { poll: { timeout: 60_000 } },
	},
});
