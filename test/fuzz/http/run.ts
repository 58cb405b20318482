import { readTyped } from "../../../tools/typed.ts";
import { fuzzHttp } from "./judge.ts";

const USAGE = `Requests to everything but the studio by the ten thousand.

  npm run fuzz:http -- [--runs 20000] [--seed N]

A request that breaks a rule is made as small as it can be, and printed with the seed that leads to it again.`;

const standIns = { runs: 20_000, seed: Date.now() % 2 ** 31 };
const { runs, seed } = readTyped({ usage: USAGE, numbers: standIns }).numbers;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say(`${runs} good and damaged requests, seed ${seed}, Node ${process.version}`);
const { requests, seconds, slowestMs, statuses } = await fuzzHttp({ runs, seed });
say(`${requests} requests in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms`);
for (const [status, count] of Object.entries(statuses).toSorted(([, a], [, b]) => b - a)) say(`  ${count}  ${status}`);
