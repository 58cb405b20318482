import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockStore, StoreInUseError } from "../src/store-lock.ts";

const MODULE_URL = new URL("../src/store-lock.ts", import.meta.url).href;

function newStoreUrl(): string {
	const folder = mkdtempSync(join(tmpdir(), "atelier-lock-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return `sqlite:${join(folder, "atelier.db")}`;
}

test("a store that a bot has locked is denied to other bots until the release, but not to a studio", () => {
	const url = newStoreUrl();
	const first = lockStore(url, "bot");
	expect(() => lockStore(url, "bot")).toThrow(StoreInUseError);
	expect(() => lockStore(url, "bot", { isShared: true })).toThrow("another process works on the store");
	lockStore(url, "studio")[Symbol.dispose]();
	first[Symbol.dispose]();
	lockStore(url, "bot")[Symbol.dispose]();
});

test("processes of one cluster lock the store together, and keep others out", () => {
	const url = newStoreUrl();
	const [one, other] = [lockStore(url, "bot", { isShared: true }), lockStore(url, "bot", { isShared: true })];
	one[Symbol.dispose]();
	expect(() => lockStore(url, "bot")).toThrow(StoreInUseError);
	other[Symbol.dispose]();
	lockStore(url, "bot")[Symbol.dispose]();
});

test.each(["memory:", "redis://127.0.0.1:6379", "postgres://127.0.0.1/atelier"])(
	"a store that is not a file is not locked: %s",
	(url) => {
		lockStore(url, "bot");
		expect(() => lockStore(url, "bot")).not.toThrow();
	},
);

test("the lock of a killed process is free at once", async () => {
	const url = newStoreUrl();
	const script = `const { lockStore } = await import(${JSON.stringify(MODULE_URL)});
		lockStore(${JSON.stringify(url)}, "bot"); process.stdout.write("locked"); setInterval(() => {}, 1000);`;
	const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	await once(child.stdout, "data");
	expect(() => lockStore(url, "bot")).toThrow(StoreInUseError);
	const exited = once(child, "exit");
	child.kill("SIGKILL");
	await exited;
	lockStore(url, "bot")[Symbol.dispose]();
});
