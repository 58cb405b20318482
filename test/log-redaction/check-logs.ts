/** Fails at the end of a run if a log of any test contained a secret or member input. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { promptsOfTests } from "./find-secrets.ts";
import { PROMPTS_FILE, type LoggedSecret } from "./capture-logs.ts";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const SHOWN_MAX = 20;
/** These tests log secrets on purpose. */
const isDeliberate = (path: string | undefined): boolean => path?.startsWith(join(TESTS, "log-redaction")) ?? false;

export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "atelier-logs-"));
	writeFileSync(join(folder, PROMPTS_FILE), JSON.stringify(promptsOfTests(TESTS)));
	env["WATCHED_LOGS"] = folder;
	return () => {
		const found = readFindings(folder).filter(({ testPath }) => !isDeliberate(testPath));
		rmSync(folder, { recursive: true, force: true });
		if (found.length === 0) return;
		process.stderr.write(formatFindings(found));
		process.exitCode = 1;
	};
}

export function readFindings(folder: string): readonly LoggedSecret[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith(".jsonl"))
		.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as LoggedSecret);
}

export function formatFindings(found: readonly LoggedSecret[]): string {
	const lines = found.slice(0, SHOWN_MAX).map(({ what, line, testPath }) => {
		const where = testPath === undefined ? "a child process" : relative(".", testPath);
		return `IN A LOG: ${what} (${where})\n  ${line}\n`;
	});
	return `${lines.join("")}\n${found.length} log lines contain a secret or member input\n\n`;
}
