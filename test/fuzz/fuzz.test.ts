/** The long form: npm run fuzz -- responses, studio, dashboard or http. */
import { expect, test } from "vitest";
import { fuzzResponses } from "./responses.ts";
import { fuzzDashboard } from "./dashboard.ts";
import { fuzzHttp } from "./http.ts";
import { fuzzStudio } from "./studio.ts";

const TIMEOUT_MS = 120_000;

// Each test also expects a variety of outcomes: input that is damaged too much reaches only the first check.

test(
	"no damaged response of a media service crashes or hangs the client, or is a success with an unusable file",
	async () => {
		const { runs, outcomes } = await fuzzResponses({ runs: 1_500, seed: 2 });
		expect(runs).toBe(1_500);
		const expected = ["succeeded", "open", "failed", "submitted", "no file", "found", "absent", "requested"];
		expect(expected.filter((outcome) => (outcomes[outcome] ?? 0) <= 5)).toStrictEqual([]);
	},
	TIMEOUT_MS,
);

test(
	"no damaged request to the studio causes an internal error, hangs, or charges a rejected request",
	async () => {
		const { runs, outcomes } = await fuzzStudio({ runs: 1_000, seed: 2 });
		expect(runs).toBe(1_000);
		expect(outcomes["post-generate 0"]).toBeGreaterThan(20);
		const codes = new Set(Object.keys(outcomes).map((name) => name.split(" ").at(-1)));
		const badRequests = ["40000", "40001", "40002", "40004", "40005", "40006"];
		const expected = ["0", ...badRequests, "40100", "40400", "40500", "41300", "41500", "42200"];
		expect(expected.filter((code) => !codes.has(code))).toStrictEqual([]);
	},
	TIMEOUT_MS,
);

test(
	"no damaged request to the other HTTP endpoints causes an internal error, hangs, or reads a file outside of its folder",
	async () => {
		const { runs, outcomes } = await fuzzHttp({ runs: 1_000, seed: 3 });
		expect(runs).toBe(1_000);
		const expected = ["200", "400", "401", "403", "404", "413", "415", "503"];
		expect(expected.filter((status) => !(status in outcomes))).toStrictEqual([]);
	},
	TIMEOUT_MS,
);

test(
	"no damaged request to the dashboard causes an internal error, hangs, or reads data that its reader may not see",
	async () => {
		const { runs, outcomes } = await fuzzDashboard({ runs: 1_000, seed: 4 });
		expect(runs).toBe(1_000);
		const statuses = new Set(Object.keys(outcomes).map((outcome) => outcome.split(" ").at(-1)));
		const expected = ["200", "400", "401", "403", "404", "413", "415", "422"];
		expect(expected.filter((status) => !statuses.has(status))).toStrictEqual([]);
		const readers = ["anonymous", "owner", "member", "moderator", "key", "otherKey", "revokedKey"];
		expect(readers.filter((reader) => (outcomes[`${reader} 401`] ?? 0) + (outcomes[`${reader} 200`] ?? 0) < 5)).toEqual(
			[],
		);
	},
	TIMEOUT_MS,
);
