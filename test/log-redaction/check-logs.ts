/** Fails at the end of a run if a log of any test contained a secret or member input. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { promptsOfTests } from "./find-secrets.ts";
import { PROMPTS_FILE, type FoundLeak } from "./capture-logs.ts";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const SHOWN_MAX = 20;
/** These tests log secrets on purpose. */
const isInjected = (path: string | undefined): boolean => path?.startsWith(join(TESTS, "log-redaction")) ?? false;

export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "atelier-logs-"));
	writeFileSync(join(folder, PROMPTS_FILE), JSON.stringify(promptsOfTests(TESTS)));
	env["WATCHED_LOGS"] = folder;
	return () => {
		const found = foundIn(folder).filter(({ testPath }) => !isInjected(testPath));
		rmSync(folder, { recursive: true, force: true });
		if (found.length === 0) return;
		process.stderr.write(complaint(found));
		process.exitCode = 1;
	};
}

export function foundIn(folder: string): readonly FoundLeak[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith(".jsonl"))
		.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as FoundLeak);
}

export function complaint(found: readonly FoundLeak[]): string {
	const lines = found.slice(0, SHOWN_MAX).map(({ what, line, testPath }) => {
		const where = testPath === undefined ? "a process of its own" : relative(".", testPath);
		return `IN A LOG: ${what} (${where})\n  ${line}\n`;
	});
	return `${lines.join("")}\n${found.length} lines of logs tell what no log may tell\n\n`;
}
