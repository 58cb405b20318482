import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockStore, StoreInUseError } from "@atelier/store/store-lock";
import { createTempFolder } from "../../e2e/start-atelier.ts";

const LOCK = new URL("../../../packages/store/src/store-lock.ts", import.meta.url).href;

async function newStoreUrl(): Promise<string> {
	return `sqlite:${join(await createTempFolder(), "atelier.db")}`;
}

test("a locked store is denied to a second process until the lock is released", async () => {
	const url = await newStoreUrl();
	const first = lockStore(url, "bot");
	expect(() => lockStore(url, "bot")).toThrow(StoreInUseError);
	expect(() => lockStore(url, "bot", { isShared: true })).toThrow("another process works on the store");
	lockStore(url, "studio").release();
	first.release();
	lockStore(url, "bot").release();
});

test("processes of one cluster lock the store together, and keep others out", async () => {
	const url = await newStoreUrl();
	const [one, other] = [lockStore(url, "bot", { isShared: true }), lockStore(url, "bot", { isShared: true })];
	one.release();
	expect(() => lockStore(url, "bot")).toThrow(StoreInUseError);
	other.release();
	lockStore(url, "bot").release();
});

test("the lock of a killed process is free at once", async () => {
	const url = await newStoreUrl();
	const script = `const { lockStore } = await import(${JSON.stringify(LOCK)});
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
	lockStore(url, "bot").release();
});

test.each(["memory:", "sqlite::memory:", "redis://127.0.0.1:1", "postgres://127.0.0.1:1/x"])(
	"%s needs no lock",
	(url) => {
		using one = lockStore(url, "bot");
		using other = lockStore(url, "bot");
		expect(other).not.toBe(one);
	},
);
