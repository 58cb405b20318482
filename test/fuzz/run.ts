/** Generated and damaged input, much more of it than in the tests. */
import { availableParallelism, cpus } from "node:os";
import { createProgram, parseNumber } from "../../tools/create-program.ts";

const program = createProgram("fuzz").description(
	"Generated and damaged input. What breaks a rule is made as small as it can be, and printed with the seed that leads to it again.",
);
define("answers", "answers of media services", 100_000, async (options) => {
	const { judgeAnswers } = await import("./responses.ts");
	const { answers, seconds, slowestMs, peakMiB, ends } = await judgeAnswers(options);
	say(
		`${answers} answers in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms, peak memory ${peakMiB} MiB`,
	);
	return ends;
});
define("studio", "requests to the studio", 20_000, async (options) => {
	const { fuzzStudio } = await import("./studio/fuzz-studio.ts");
	const { requests, seconds, slowestMs, peakMiB, tasks, answers } = await fuzzStudio(options);
	say(
		`${requests} requests in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms, peak memory ${peakMiB} MiB`,
	);
	say(`${tasks} tasks taken and settled`);
	return answers;
});
define("http", "requests to everything else that answers HTTP", 20_000, async (options) => {
	const { fuzzHttp } = await import("./http/fuzz-http.ts");
	const { requests, seconds, slowestMs, statuses } = await fuzzHttp(options);
	say(`${requests} requests in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms`);
	return statuses;
});

/** Adds a command. Its work resolves to how often each outcome was seen. */
function define(
	name: string,
	input: string,
	runsDefault: number,
	work: (options: { readonly runs: number; readonly seed: number }) => Promise<Readonly<Record<string, number>>>,
): void {
	program
		.command(name)
		.description(input)
		.option("--runs <count>", "how many", parseNumber, runsDefault)
		.option("--seed <number>", "the seed of an earlier run", parseNumber)
		.action(async ({ runs, seed = Date.now() % 2 ** 31 }) => {
			say(`${runs} ${input}, seed ${seed}, Node ${process.version}`);
			say(`${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown kind"}`);
			const outcomes = await work({ runs, seed });
			for (const [outcome, count] of Object.entries(outcomes).toSorted(([, a], [, b]) => b - a))
				say(`  ${count}  ${outcome}`);
		});
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

await program.parseAsync();
