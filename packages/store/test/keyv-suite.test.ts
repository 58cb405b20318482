/**
 * keyv's own test suite on our SQLite storage. Its parts on methods and on values are run, as they are. Its part on
 * namespaces is not: the store has flat keys, and a `clear` here empties the table. Nor is its part on iterators, which
 * the store does not offer (`scan` takes their place), or on compression, which has no storage in it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyvApiTests, keyvValueTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as vitest from "vitest";
import { openSqliteStorage } from "../src/sqlite-adapter.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-keyv-"));
const storage = openSqliteStorage(join(folder, "store.db"));
/** The suite makes a keyv for every test, each of which would go on listening. */
const store = { ...storage, on: () => store };
vitest.afterAll(async () => {
	await storage.disconnect();
	rmSync(folder, { recursive: true, force: true });
});

vitest.describe("keyv's suite on SQLite: methods", () => keyvApiTests(vitest as never, Keyv, () => store));
vitest.describe("keyv's suite on SQLite: values", () => keyvValueTests(vitest as never, Keyv, () => store));
