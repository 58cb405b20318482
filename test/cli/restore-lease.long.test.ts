import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { freePort } from "@atelier/common/testing/free-port";
import { openStore } from "@atelier/store/open-store";
import { postgresForTests, redisForTests } from "@atelier/store/testing/database-servers";
import { acquireStudioLease } from "@atelier/studio/host/studio-lease";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { runCli } from "./run-cli.ts";

const SERVERS = [
	["Postgres", await postgresForTests()],
	["Redis", await redisForTests()],
] as const;

describe.each(SERVERS)("on %s", (_name, url) => {
	test.skipIf(url === undefined)(
		"restore is rejected while a studio renews its lease, on any port, and works after the studio has ended",
		async () => {
			const STORE_URL = url ?? "";
			const folder = await createTempFolder();
			const env = { STORE_URL, DATA_DIR: folder, PORT: String(await freePort()) };
			const backup = join(folder, "one.backup");
			await using closing = new AsyncDisposableStack();
			const store = await openStore(STORE_URL);
			closing.defer(() => store.close());
			const lease = await acquireStudioLease({
				store,
				clock: systemClock,
				logger: pino({ enabled: false }),
				newId: () => "studio-1",
				identity: undefined,
				onLost: () => {},
			});
			closing.defer(() => lease.release());
			expect(await runCli(["backup", backup], { env })).toMatchObject({ code: 0 });
			const restore = () => runCli(["restore", backup, "--replace"], { env });
			expect(await restore()).toMatchObject({
				code: 1,
				stderr:
					"Not possible: a studio renews its lease on the store. Stop it first, on each machine. Nothing was changed.",
			});
			await lease.release();
			// As after a crash: no process renews the lease.
			await store.set("studio-lease", { studio: "studio-1", count: 3 });
			const { code, stdout } = await restore();
			expect(code).toBe(0);
			expect(stdout).toContain(
				"No bot responds on PORT, and no studio renews its lease. Bots on other machines cannot be detected.",
			);
		},
	);
});
