import { availableParallelism, cpus } from "node:os";
import { readTyped } from "../../tools/typed.ts";
import { judgeAnswers } from "./answers.ts";

const USAGE = `Answers of services by the hundred thousand.

  npm run fuzz:answers -- [--runs 100000] [--seed N]

An answer that breaks a rule is made as small as it can be, and printed with the seed that leads to it again.`;

const standIns = { runs: 100_000, seed: Date.now() % 2 ** 31 };
const { runs, seed } = readTyped({ usage: USAGE, numbers: standIns }).numbers;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say(`${runs} generated and damaged answers, seed ${seed}, Node ${process.version}`);
say(`${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown kind"}`);
const { answers, seconds, slowestMs, peakMiB, ends } = await judgeAnswers({ runs, seed });
const rate = Math.round(answers / seconds);
say(`${answers} answers in ${seconds.toFixed(1)} s (${rate} a second), the slowest ${slowestMs.toFixed(0)} ms`);
say(`peak memory ${peakMiB} MiB`);
for (const [end, count] of Object.entries(ends).toSorted(([, a], [, b]) => b - a)) say(`  ${count}  ${end}`);
