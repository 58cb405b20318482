/**
 * Counts the requests of bots to the playground at the end of a run, and fails the run if the product sent one that
 * Discord's schema rejects. Tests in `packages/playground/test` send invalid requests on purpose.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { env } from "node:process";
import type { RecordedRequest } from "./record-requests.ts";

const PLAYGROUND_TESTS = /^packages\/playground\/test\//;

export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "atelier-requests-"));
	env["PLAYGROUND_REQUESTS"] = folder;
	return () => {
		const recorded = readdirSync(folder).flatMap((name) =>
			readFileSync(join(folder, name), "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as RecordedRequest),
		);
		rmSync(folder, { recursive: true, force: true });
		if (recorded.length > 0) printReport(recorded);
	};
}

/** Bot libraries have the user agent that Discord requires; tests that write requests themselves do not. */
const isFromBot = ({ client }: RecordedRequest): boolean => client.startsWith("DiscordBot");
const isOfPlaygroundTests = ({ testPath = "" }: RecordedRequest): boolean =>
	PLAYGROUND_TESTS.test(relative(".", testPath));

function printReport(recorded: readonly RecordedRequest[]): void {
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
