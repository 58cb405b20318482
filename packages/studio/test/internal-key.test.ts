import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDITS_MAX } from "@atelier/ledger/account";
import { openInternalKey } from "../src/internal-key.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { setup } from "../testing/studio-setup.ts";

const INTERNAL_CREDITS = 1_000_000_000;
const account = "studio:internal";
const note = { by: "operator", reason: "test" };

test("creates the key of the built-in account once", async () => {
	const { studio, ledger } = await setup();
	const path = join(await createTempFolder(), "studio.key");
	const key = await openInternalKey({ studio, ledger }, path);
	expect((await studio.keys.find(key))?.revokedAtMs).toBeNull();
	expect(await readFile(path, "utf8")).toBe(key);
	expect(await openInternalKey({ studio, ledger }, path)).toBe(key);
	expect(await ledger.balance(account)).toMatchObject({ postedCredits: INTERNAL_CREDITS });
});

test("creates no other key if the file cannot be read", async () => {
	const { studio, ledger } = await setup();
	await expect(openInternalKey({ studio, ledger }, await createTempFolder())).rejects.toThrow("EISDIR");
	expect(await ledger.balance(account)).toMatchObject({ postedCredits: 0 });
});

test("refills the built-in account at each start, also when its key file is lost, without exceeding the maximum", async () => {
	const { studio, ledger } = await setup();
	const path = join(await createTempFolder(), "studio.key");
	const first = await openInternalKey({ studio, ledger }, path);
	await ledger.adjust(account, "spent", -5, note);
	expect(await openInternalKey({ studio, ledger }, path)).toBe(first);
	expect(await ledger.balance(account)).toMatchObject({ postedCredits: INTERNAL_CREDITS });
	await ledger.adjust(account, "spent again", -5, note);
	await rm(path);
	expect(await openInternalKey({ studio, ledger }, path)).not.toBe(first);
	expect(await ledger.balance(account)).toMatchObject({ postedCredits: INTERNAL_CREDITS });
	await ledger.adjust(account, "as after a thousand starts", CREDITS_MAX - INTERNAL_CREDITS, note);
	await rm(path);
	expect((await studio.keys.find(await openInternalKey({ studio, ledger }, path)))?.revokedAtMs).toBeNull();
});
