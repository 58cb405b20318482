/**
 * Fails at the end of a run if a log of any test contained a secret or member input, or if the product sent a request to the
 * playground that Discord's schema rejects. Tests in `packages/playground/test` send invalid requests on purpose.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { promptsOfTests } from "./find-secrets.ts";
import { PROMPTS_FILE, type LoggedSecret, type RecordedRequest } from "./record-run.ts";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const SHOWN_MAX = 20;
const PLAYGROUND_TESTS = /^packages\/playground\/test\//;

export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "atelier-run-"));
	writeFileSync(join(folder, PROMPTS_FILE), JSON.stringify(promptsOfTests(TESTS)));
	env["RUN_RECORDS"] = folder;
	return () => {
		const { secrets, requests } = readRecords(folder);
		rmSync(folder, { recursive: true, force: true });
		if (requests.length > 0) reportRequests(requests);
		// These tests log secrets on purpose.
		reportSecrets(secrets.filter(({ testPath }) => testPath?.startsWith(import.meta.dirname) !== true));
	};
}

export function readRecords(folder: string) {
	const records = readdirSync(folder)
		.filter((name) => name.endsWith(".jsonl"))
		.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as LoggedSecret | RecordedRequest);
	return {
		secrets: records.filter((each) => each.kind === "secret"),
		requests: records.filter((each) => each.kind === "request"),
	};
}

function reportSecrets(found: readonly LoggedSecret[]): void {
	if (found.length === 0) return;
	const lines = found.slice(0, SHOWN_MAX).map(({ what, line, testPath }) => {
		const source = testPath === undefined ? "a child process" : relative(".", testPath);
		return `IN A LOG: ${what} (${source})\n  ${line}\n`;
	});
	process.stderr.write(`${lines.join("")}\n${found.length} log lines contain a secret or member input\n\n`);
	process.exitCode = 1;
}

/** Bot libraries have the user agent that Discord requires; tests that write requests themselves do not. */
const isFromBot = ({ client }: RecordedRequest): boolean => client.startsWith("DiscordBot");
const isOfPlaygroundTests = ({ testPath = "" }: RecordedRequest): boolean =>
	PLAYGROUND_TESTS.test(relative(".", testPath));

function reportRequests(recorded: readonly RecordedRequest[]): void {
	const product = recorded.filter((each) => isFromBot(each) && !isOfPlaygroundTests(each));
	const invalid = product.filter(({ verdict }) => verdict === "invalid");
	process.stdout.write(
		`\nRequests against Discord's schema: of the product ${formatCounts(product)}; of tests of the playground ${formatCounts(recorded.filter((each) => !product.includes(each)))}\n\n`,
	);
	for (const { method, path, errors, testPath } of invalid) {
		process.stderr.write(`INVALID: ${method} ${path} (${testPath ?? "a child process"})\n  ${errors.join("\n  ")}\n`);
	}
	if (invalid.length > 0) process.exitCode = 1;
}

function formatCounts(recorded: readonly RecordedRequest[]): string {
	const count = (verdict: RecordedRequest["verdict"]): string =>
		recorded.filter((each) => each.verdict === verdict).length.toLocaleString("en");
	return `${count("valid")} valid, ${count("invalid")} invalid, ${count("unchecked")} unchecked`;
}
