/**
 * Requests to everything but the studio by the ten thousand: npm run fuzz:http -- [--runs 20000] [--seed N]
 *
 * A request that breaks a rule is made as small as it can be, and printed with the seed that leads to it again.
 */
import { parseArgs } from "node:util";
import { fuzzHttp } from "./judge.ts";

const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const runs = Number(values.runs ?? 20_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say(`${runs} good and damaged requests, seed ${seed}, Node ${process.version}`);
const { requests, seconds, slowestMs, statuses } = await fuzzHttp({ runs, seed });
say(`${requests} requests in ${seconds.toFixed(1)} s, the slowest ${slowestMs.toFixed(0)} ms`);
for (const [status, count] of Object.entries(statuses).toSorted(([, a], [, b]) => b - a)) say(`  ${count}  ${status}`);
