/** The long form: npm run fuzz -- studio */
import { expect, test } from "vitest";
import { fuzzStudio } from "./fuzz-studio.ts";

const REQUESTS = 1_000;

test("no damaged request to the studio causes a 5xx, hangs, or runs and charges after a rejection", async () => {
	const { requests, tasks, answers } = await fuzzStudio({ runs: REQUESTS, seed: 20_261_120 });
	expect(requests).toBe(REQUESTS);
	// Otherwise the damage would be so great that nothing of interest is tried.
	expect(tasks).toBeGreaterThan(20);
	const codes = new Set(Object.keys(answers).map((name) => name.split(" ").at(-1)));
	const wanted = [
		"0",
		"40000",
		"40001",
		"40002",
		"40004",
		"40005",
		"40006",
		"40100",
		"40400",
		"40500",
		"41300",
		"41500",
		"42200",
	];
	expect(wanted.filter((code) => !codes.has(code))).toStrictEqual([]);
}, 120_000);
