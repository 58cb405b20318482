import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDITS_MAX } from "@atelier/ledger/account";
import { openHouseKey } from "../src/internal-key.ts";
import { setup, temporaryFolder } from "../testing/studio-setup.ts";

const HOUSE_CREDITS = 1_000_000_000;
const house = "studio:house";
const note = { by: "operator", reason: "test" };

test("the house's key is made once, and opens the studio", async () => {
	const { studio, ledger } = await setup();
	const path = join(await temporaryFolder(), "studio.key");
	const key = await openHouseKey({ studio, ledger }, path);
	expect(await studio.knowsKey(key)).toBe(true);
	expect(await readFile(path, "utf8")).toBe(key);
	expect(await openHouseKey({ studio, ledger }, path)).toBe(key);
	expect(await ledger.balance(house)).toMatchObject({ postedCredits: HOUSE_CREDITS });
});

test("where its file is lost with each start, the house's account is filled up and never overflows", async () => {
	const { studio, ledger } = await setup();
	const path = join(await temporaryFolder(), "studio.key");
	const first = await openHouseKey({ studio, ledger }, path);
	await ledger.adjust(house, "spent", -5, note);
	await rm(path);
	expect(await openHouseKey({ studio, ledger }, path)).not.toBe(first);
	expect(await ledger.balance(house)).toMatchObject({ postedCredits: HOUSE_CREDITS });
	await ledger.adjust(house, "as after a thousand starts", CREDITS_MAX - HOUSE_CREDITS, note);
	await rm(path);
	expect(await studio.knowsKey(await openHouseKey({ studio, ledger }, path))).toBe(true);
});
