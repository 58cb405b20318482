/**
 * Counts the requests of bots to the playground at the end of a run, and fails the run if the product sent one that
 * Discord's schema rejects. Tests in `packages/playground/test` send invalid requests on purpose.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { env } from "node:process";
import type { NotedRequest } from "./record-requests.ts";

const JUDGE_TESTS = /^packages\/playground\/test\//;

export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "atelier-requests-"));
	env["PLAYGROUND_REQUESTS"] = folder;
	return () => {
		const noted = readdirSync(folder).flatMap((name) =>
			readFileSync(join(folder, name), "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as NotedRequest),
		);
		rmSync(folder, { recursive: true, force: true });
		if (noted.length > 0) report(noted);
	};
}

/** Bot libraries have the user agent that Discord requires; tests that write requests themselves do not. */
const isFromBot = ({ client }: NotedRequest): boolean => client.startsWith("DiscordBot");
const isOfPlaygroundTests = ({ testPath = "" }: NotedRequest): boolean => JUDGE_TESTS.test(relative(".", testPath));

function report(noted: readonly NotedRequest[]): void {
	const product = noted.filter((each) => isFromBot(each) && !isOfPlaygroundTests(each));
	const wrong = product.filter(({ verdict }) => verdict === "invalid");
	process.stdout.write(
		`\nRequests against Discord's schema: of the product ${inWords(product)}; of tests of the playground ${inWords(noted.filter((each) => !product.includes(each)))}\n\n`,
	);
	for (const { method, path, errors, testPath } of wrong) {
		process.stderr.write(
			`NOT VALID: ${method} ${path} (${testPath ?? "a process of its own"})\n  ${errors.join("\n  ")}\n`,
		);
	}
	if (wrong.length > 0) process.exitCode = 1;
}

function inWords(noted: readonly NotedRequest[]): string {
	const count = (verdict: NotedRequest["verdict"]): string =>
		noted.filter((each) => each.verdict === verdict).length.toLocaleString("en");
	return `${count("valid")} valid, ${count("invalid")} not valid, ${count("unchecked")} not checked`;
}
