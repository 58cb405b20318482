/** The long form: npm run fuzz -- answers */
import { expect, test } from "vitest";
import { judgeAnswers } from "./responses.ts";

const ANSWERS = 1_500;

test("no damaged response crashes or hangs the client, or counts as a result without a usable file", async () => {
	const { answers, ends } = await judgeAnswers({ runs: ANSWERS, seed: 20_261_120 });
	expect(answers).toBe(ANSWERS);
	// Otherwise the damage would be so great that nothing of interest is tried.
	const wanted = ["made", "open", "failed", "taken", "done without a file", "found", "absent", "requested"];
	expect(wanted.filter((end) => (ends[end] ?? 0) <= 5)).toStrictEqual([]);
}, 120_000);
