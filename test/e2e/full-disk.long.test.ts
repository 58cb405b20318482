import { spawnSync } from "node:child_process";
import { writeFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { messageOfFailedStart } from "./failed-start.ts";

/** True if this process may mount a disk of its own, which only root may. */
const canMount =
	process.platform === "linux" && process.getuid?.() === 0 && spawnSync("mount", ["--version"]).status === 0;
if (!canMount)
	process.stderr.write("\nSKIPPED: what happens on a full disk, because only root on Linux can mount one\n\n");

async function mountSmallDisk(): Promise<string> {
	const folder = await createTempFolder();
	const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], {
		encoding: "utf8",
	});
	expect([status, stderr]).toStrictEqual([0, ""]);
	onTestFinished(() => void spawnSync("umount", [folder]));
	return folder;
}

async function fill(folder: string): Promise<void> {
	const path = join(folder, "everything");
	for (let size = 2 << 20; size > 0; size >>= 1) {
		await writeFile(path, Buffer.alloc(size), { flag: "a" }).catch(() => {});
	}
}

test.runIf(canMount)(
	"a full disk is logged once for two failed writes, and the store continues when there is space",
	async () => {
		const folder = await mountSmallDisk();
		const lines: string[] = [];
		const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
		const store = await openStore(`sqlite:${join(folder, "a.db")}`, { logger });
		onTestFinished(() => store.close());
		await store.set("before", 1);
		await fill(folder);
		const large = "x".repeat(100_000);
		await expect(store.set("one", large)).rejects.toBeInstanceOf(StoreUnavailableError);
		await expect(store.set("two", large)).rejects.toThrow("full");
		expect(lines).toStrictEqual([
			"the disk is full: nothing can be written to the store until there is room for its database",
		]);
		await rm(join(folder, "everything"));
		await store.set("one", large);
		expect((await store.get<string>("one"))?.value).toBe(large);
	},
);

test.runIf(canMount)("a start on a full disk fails with that reason", async () => {
	const folder = await mountSmallDisk();
	await fill(folder);
	const message = await messageOfFailedStart({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" });
	expect(message).toMatch(/^Cannot start: the disk is full\. Free some space[^\n]+$/);
});
