/** The other fuzzers and the long form of this one: npm run fuzz -- responses, studio, dashboard or http. */
import { expect, test } from "vitest";
import { findMissingOutcomes, fuzzHttp } from "./http.ts";

test("no damaged request to the HTTP endpoints of the bot and the playground causes an internal error, hangs, or reads a file outside of its folder", async () => {
	const { outcomes } = await fuzzHttp({ runs: 1_000, seed: 3 });
	expect(findMissingOutcomes(outcomes)).toStrictEqual([]);
}, 120_000);
