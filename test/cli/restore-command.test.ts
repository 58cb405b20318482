import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { systemClock as clock } from "@atelier/common/clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openStore } from "@atelier/store/open-store";
import { createApiKeys } from "../../src/services/settings/api-keys.ts";
import { memberAuthor } from "../../src/services/access/change-author.ts";
import { createSettingsStore } from "../../src/services/settings/settings-store.ts";
import { RESTORE_RECORD_KEY, type RestoreRecord } from "../../src/services/backup/restore-record.ts";
import { runCli } from "./run-cli.ts";

test("restore names the API keys of the backup, because a revoked one works again", async () => {
	const DATA_DIR = await createTempFolder();
	const env = { DATA_DIR, STORE_URL: `sqlite:${join(DATA_DIR, "atelier.db")}` };
	const backup = join(DATA_DIR, "one.backup");
	const store = await openStore(env.STORE_URL);
	const settings = createSettingsStore(store, { clock });
	const directory = { readBotJoin: async () => "2026-11-01T00:00:00Z" };
	const keys = createApiKeys({ store, settings, directory, clock, randomBytes });
	const author = memberAuthor("7", "dashboard");
	const { id } = await keys.create("1", { name: "billing", byUserId: "7" }, author);
	expect(await runCli(["backup", backup], { env })).toMatchObject({ code: 0 });
	await keys.revoke("1", id, author);
	await store.close();

	const { code, stdout } = await runCli(["restore", backup, "--replace"], { env });
	expect(code).toBe(0);
	expect(stdout.join("\n")).toMatch(/ {2}server 1: billing \(atelier_\S{6}…\), created at 20/);
});

test("after an interrupted restore, neither --open nor a backup works", async () => {
	const DATA_DIR = await createTempFolder();
	const env = { DATA_DIR, STORE_URL: `sqlite:${join(DATA_DIR, "atelier.db")}` };
	const store = await openStore(env.STORE_URL);
	await store.set(RESTORE_RECORD_KEY, { epoch: 1, state: "restoring" } satisfies RestoreRecord);
	await store.close();
	const why = "A restore is running or was interrupted:";
	const failed = { code: 1, stdout: [] };
	expect(await runCli(["restore", "--open"], { env })).toStrictEqual({ ...failed, stderr: `${why} repeat it first.` });
	expect(await runCli(["backup"], { env })).toStrictEqual({ ...failed, stderr: `${why} repeat it, then back up.` });
});
