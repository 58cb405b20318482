import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "@atelier/common/logger";
import { childEnv } from "../e2e/child-env.ts";
import { readRecords } from "./check-run.ts";
import { promptsOfTests } from "./find-secrets.ts";
import { PROMPTS_FILE } from "./record-run.ts";

const ID = "123456789012345678";
const discard = { write() {} };

/** The findings in this file during this run. */
function findingsOfThisFile() {
	const path = expect.getState().testPath;
	return readRecords(env["RUN_RECORDS"] ?? "").secrets.filter(({ testPath }) => testPath === path);
}

test.each([
	["an interaction's token", `PATCH /webhooks/${ID}/aW50ZXJhY3Rpb246${"x".repeat(40)}/messages/@original`],
	["a bot's token", `${"M".repeat(24)}.${"G".repeat(6)}.${"x".repeat(38)}`],
	["a key of the studio", `made sk-${"k".repeat(43)}`],
	["a secret of callbacks", "whsec_cGxhbnRlZCBwbGFudGVk"],
	["a link that opens a file", `http://127.0.0.1:1/media/${"0".repeat(64)}.png?expires=1&signature=${"s".repeat(43)}`],
	["a password in an address", "no answer: redis://default:injected@127.0.0.1:6379"],
	["an authorization", `Authorization: Bearer ${"b".repeat(24)}`],
	["a prompt", "submitted: a lighthouse in a storm"],
])("the log check detects %s in a line of any logger", (what, text) => {
	const before = findingsOfThisFile().length;
	pino({ level: "trace", base: null }, discard).child({ deep: { text } }).debug("a test of the log check");
	pino({}, discard).info({ hostname: "of an error" }, text);
	expect(findingsOfThisFile().slice(before)).toMatchObject([{ what }, { what }]);
});

test("redacted values are accepted", () => {
	const before = findingsOfThisFile().length;
	const logger = createLogger({ level: "trace", pretty: false, destination: discard });
	logger.info({ token: `sk-${"k".repeat(43)}`, url: `/webhooks/${ID}/${"x".repeat(40)}/messages/@original` }, "sent");
	expect(findingsOfThisFile()).toHaveLength(before);
});

test("a child process is checked as well, including its standard error", () => {
	const folder = mkdtempSync(join(tmpdir(), "atelier-logs-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	writeFileSync(join(folder, PROMPTS_FILE), JSON.stringify(promptsOfTests(import.meta.dirname)));
	const environment = childEnv({ RUN_RECORDS: folder, DISCORD_TOKEN: "injected-in-a-child" });
	const args = ["-e", 'process.stderr.write("cannot start: injected-in-a-child"); process.stderr.write("fine")'];
	const { stderr } = spawnSync(process.execPath, args, { env: environment, encoding: "utf8" });
	expect(stderr).toBe("cannot start: injected-in-a-childfine");
	expect(readRecords(folder).secrets).toStrictEqual([
		{ kind: "secret", what: "a secret of its configuration", line: "cannot start: injected-in-a-child" },
	]);
});
