/** Runs the fuzzers with many more inputs than the tests. */
import { createProgram, parseNumber } from "../../tools/npm-script-arguments.ts";
import type { FindMissingOutcomes, FuzzOptions, FuzzReport } from "./fuzz-property.ts";
import * as dashboard from "./dashboard.ts";
import * as http from "./http.ts";
import * as responses from "./responses.ts";
import * as studio from "./studio.ts";

/** Fewer runs may miss an outcome by chance. */
const CHECKED_RUNS_MIN = 3_000;

const program = createProgram("fuzz").description(
	"Sends generated and damaged input. A failure prints the smallest input that violates a rule, and its seed.",
);
define("responses", "responses of media services", 100_000, responses.fuzzResponses, responses.findMissingOutcomes);
define("studio", "requests to the studio", 20_000, studio.fuzzStudio, studio.findMissingOutcomes);
define("dashboard", "requests to the dashboard's API", 10_000, dashboard.fuzzDashboard, dashboard.findMissingOutcomes);
define(
	"http",
	"requests to the other HTTP servers of the bot and the playground",
	20_000,
	http.fuzzHttp,
	http.findMissingOutcomes,
);

function define(
	name: string,
	input: string,
	runsDefault: number,
	run: (options: FuzzOptions) => Promise<FuzzReport>,
	findMissingOutcomes: FindMissingOutcomes,
): void {
	program
		.command(name)
		.description(input)
		.option("--runs <count>", "number of inputs", parseNumber, runsDefault)
		.option("--seed <number>", "the seed of an earlier run", parseNumber)
		.action(async ({ runs, seed = Date.now() % 2 ** 31 }) => {
			print(`${runs} ${input}, seed ${seed}`);
			const { outcomes } = await run({ runs, seed });
			for (const [outcome, count] of Object.entries(outcomes).toSorted(([, a], [, b]) => b - a)) {
				print(`  ${count}  ${outcome}`);
			}
			const missing = findMissingOutcomes(outcomes);
			if (runs < CHECKED_RUNS_MIN || missing.length === 0) return;
			print(`missing outcomes: ${missing.join(", ")}`);
			process.exitCode = 1;
		});
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

await program.parseAsync();
