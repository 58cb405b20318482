/**
 * How much memory do the translations cost at ready? Starts the bot with all languages and with English alone, in turn, on the
 * same playground. Memory is measured after a pause and a garbage collection; the first start of each kind only fills its
 * compile cache. Run: node tools/node24.mjs bench/language-memory.ts [ROUNDS]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProcess } from "./lib/child-process.ts";
import { readResources, RESOURCE_FLAGS, type ProcessResources } from "./lib/read-resources.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const QUIET_MS = 3_000;
const BOUND_MIB = 3;
const rounds = Number(process.argv[2] ?? 15);
type Languages = "all" | "english";

const load = await startProcess({
	name: "load",
	args: ["bench/processes/playground.ts", "1"],
	env: {},
	ready: "ready",
});
const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const flags = await npmStartFlags();

async function measure(languages: Languages): Promise<ProcessResources> {
	const dataDir = await mkdtemp(join(folder, "data-"));
	const bot = await startProcess({
		name: languages,
		args: [...RESOURCE_FLAGS, "--import", "./bench/processes/english-only-hook.ts", ...flags, "src/index.ts"],
		env: {
			DISCORD_TOKEN: load.printed("Bot token"),
			DISCORD_API_URL: load.printed("API"),
			DATA_DIR: dataDir,
			PORT: "0",
			LOG_LEVEL: "info",
			MEDIA_API_URL: "http://127.0.0.1:9",
			MEDIA_API_KEY: "bench-key-0123456789",
			NODE_COMPILE_CACHE: join(folder, `compiled-${languages}`),
			BENCH_LANGUAGES: languages,
		},
		ready: "Atelier is ready",
	});
	try {
		await sleep(QUIET_MS);
		return await readResources(bot);
	} finally {
		await bot.stop();
	}
}

const summary = (name: string, bytes: readonly number[], bound = ""): string =>
	`${name.padEnd(40)} median, MiB: ${medianAndRange(
		bytes.map((value) => value / 2 ** 20),
		1,
	)}${bound}`;

const all: ProcessResources[] = [];
const english: ProcessResources[] = [];
try {
	for (const languages of ["all", "english"] as const) await measure(languages);
	for (let round = 0; round < rounds; round++) {
		// The order changes with each round, so that a machine that becomes slower favors neither.
		const order = round % 2 === 0 ? (["all", "english"] as const) : (["english", "all"] as const);
		for (const languages of order) (languages === "all" ? all : english).push(await measure(languages));
	}
} finally {
	await load.stop();
	await rm(folder, { recursive: true, force: true });
}

const differences = (read: (resources: ProcessResources) => number): number[] =>
	all.map((resources, round) => read(resources) - read(english[round] ?? resources));
process.stdout.write(
	[
		`${describeMachine()}, ${rounds} rounds in turn`,
		summary(
			"resident at ready, all languages",
			all.map(({ rss }) => rss),
		),
		summary(
			"resident at ready, English alone",
			english.map(({ rss }) => rss),
		),
		summary(
			"difference of resident memory",
			differences(({ rss }) => rss),
			`   bound ${BOUND_MIB} MiB`,
		),
		summary(
			"difference of private memory",
			differences(({ rssPrivate }) => rssPrivate),
		),
		summary(
			"difference of the heap",
			differences(({ heapUsed }) => heapUsed),
		),
		"",
	].join("\n"),
);
