import { availableParallelism, cpus } from "node:os";
import { readTyped } from "../../../tools/typed.ts";
import { fuzzStudio } from "./judge.ts";

const USAGE = `Requests to the studio by the ten thousand.

  npm run fuzz:studio -- [--runs 20000] [--seed N]

A request that breaks a rule is made as small as it can be, and printed with the seed that leads to it again.`;

const standIns = { runs: 20_000, seed: Date.now() % 2 ** 31 };
const { runs, seed } = readTyped({ usage: USAGE, numbers: standIns }).numbers;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say(`${runs} good and damaged requests, seed ${seed}, Node ${process.version}`);
say(`${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown kind"}`);
const { requests, seconds, slowestMs, peakMiB, tasks, answers } = await fuzzStudio({ runs, seed });
say(
	`${requests} requests in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms, ${tasks} tasks taken and settled`,
);
say(`peak memory ${peakMiB} MiB`);
for (const [answer, count] of Object.entries(answers).toSorted(([, a], [, b]) => b - a)) say(`  ${count}  ${answer}`);
