/** The long form: npm run fuzz -- http */
import { expect, test } from "vitest";
import { fuzzHttp } from "./fuzz-http.ts";

const REQUESTS = 1_000;

test("no request to any server causes a 5xx, hangs, or is served from an unknown path", async () => {
	const { requests, statuses } = await fuzzHttp({ runs: REQUESTS, seed: 20_261_122 });
	expect(requests).toBe(REQUESTS);
	// Otherwise the damage would be so great that nothing of interest is tried.
	const wanted = ["200", "400", "401", "403", "404", "405", "413", "415", "503"];
	expect(wanted.filter((status) => !(status in statuses))).toStrictEqual([]);
}, 120_000);
