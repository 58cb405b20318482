/**
 * Does the memory of a bot grow over a day? The bot's clock is advanced, not waited for: every poll, sweep, daily task and
 * other interval runs as often as in a day. In each hour members of a shard of 2,500 servers use /help and /image. A service
 * completes each task at once, and the bot charges and delivers it. Memory is read after a garbage collection, every three
 * hours of the bot's clock. Exits with 1 if the lowest heap of the second half of the day is more than a tenth above that of
 * the first half, or if timers, handles or open files grow.
 *
 * Run: node tools/node24.mjs bench/memory-growth.ts [--hours 24] [--commands 40] [--guilds 2500]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { startProcess, type RestartableProcess } from "./lib/child-process.ts";
import { startMediaService } from "./lib/media-service.ts";
import { readResources, RESOURCE_FLAGS, type ProcessResources } from "./lib/read-resources.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine } from "./lib/statistics.ts";

const HOURS_PER_SAMPLE = 3;
const MINUTE_MS = 60_000;
/** The bot's time between two checks for finished commands. */
const TRAFFIC_STEP_MS = 250;
const TRAFFIC_TIMEOUT_MS = 120_000;
const GROWTH_MAX = 0.1;
const { values } = parseArgs({
	options: {
		hours: { type: "string", default: "24" },
		commands: { type: "string", default: "40" },
		guilds: { type: "string", default: "2500" },
	},
});
const hours = Number(values.hours);
/** Of each kind, in an hour. */
const commands = Number(values.commands);
const guilds = Number(values.guilds);

/** Advances the bot's clock. Resolves to its time. */
async function advance(bot: RestartableProcess, ms: number): Promise<number> {
	const times = (): readonly string[] => bot.lines.filter((line) => line.startsWith("advanced to "));
	const before = times().length;
	bot.write(`${ms}\n`);
	while (times().length === before) await sleep(1);
	return Number(times().at(-1)?.split(" ").at(-1));
}

/** Has members send `/name` at the time of the bot's clock, and advances this clock until all have their reply. */
async function runTraffic(bot: RestartableProcess, load: RestartableProcess, name: string, nowMs: number) {
	const answered = (): number => load.lines.filter((line) => line.startsWith("answered")).length;
	const before = answered();
	const startMs = Date.now();
	load.write(`${commands} ${name} ${nowMs}\n`);
	while (answered() === before) {
		if (Date.now() - startMs > TRAFFIC_TIMEOUT_MS) throw new Error(`not every /${name} got its reply`);
		await advance(bot, TRAFFIC_STEP_MS);
		await sleep(5);
	}
}

const load = await startProcess({
	name: "load",
	args: ["bench/processes/playground.ts", String(guilds)],
	env: {},
	ready: "ready",
});
const image = { model: "bench", mediaType: "image", bytes: smallMediaFile("a.png") } as const;
const service = await startMediaService([image], { endsAtOnce: true });
const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const bot = await startProcess({
	name: "Atelier",
	args: [...RESOURCE_FLAGS, ...(await npmStartFlags()), "bench/processes/memory-growth-bot.ts"],
	env: {
		DISCORD_TOKEN: load.printed("Bot token"),
		DISCORD_API_URL: load.printed("API"),
		MEDIA_API_URL: service.origin,
		MEDIA_API_KEY: "bench-key-0123456789",
		DATA_DIR: folder,
		PORT: "0",
		LOG_LEVEL: "warn",
		GUILD_CREDITS: "1000000",
		NODE_COMPILE_CACHE: join(folder, "compiled"),
	},
	ready: "Atelier is ready",
});
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`.padStart(10);
const samples: ProcessResources[] = [];
async function sample(hour: number): Promise<void> {
	const resources = await readResources(bot);
	samples.push(resources);
	const { rss, rssPrivate, heapUsed, external, timers, handles, files } = resources;
	process.stdout.write(
		`after ${String(hour).padStart(2)} hours   RSS${mib(rss)}, private${mib(rssPrivate)}, heap${mib(heapUsed)}, external${mib(external)}, ${timers} timers, ${handles} handles, ${files} files\n`,
	);
}

process.stdout.write(
	`${describeMachine()}; ${guilds} servers, ${commands} /help and ${commands} /image in each of ${hours} hours\n`,
);
const startMs = Date.now();
try {
	await sample(0);
	for (let hour = 1; hour <= hours; hour++) {
		let nowMs = await advance(bot, MINUTE_MS);
		for (const name of ["help", "image"]) {
			await runTraffic(bot, load, name, nowMs);
			nowMs = await advance(bot, MINUTE_MS);
		}
		for (let minute = 3; minute < 60; minute++) await advance(bot, MINUTE_MS);
		if (hour % HOURS_PER_SAMPLE === 0 || hour === hours) await sample(hour);
	}
} finally {
	await bot.stop();
	await load.stop();
	await service.close();
	await rm(folder, { recursive: true, force: true });
}
/** Growth below which a count is noise: it varies with the work of that moment. */
const COUNT_GROWTH_MIN = 10;
type ResourceName = "heapUsed" | "timers" | "handles" | "files";
/** Returns the lowest value in each half of the day, without the start: a leak raises it, while work of the moment does not. */
function lowestOfHalves(key: ResourceName): readonly [number, number] {
	const inOrder = samples.slice(1).map((resources) => resources[key]);
	const middle = Math.ceil(inOrder.length / 2);
	return [Math.min(...inOrder.slice(0, middle)), Math.min(...inOrder.slice(middle))];
}
const growing = (["heapUsed", "timers", "handles", "files"] as const).filter((key) => {
	const [before, after] = lowestOfHalves(key);
	return after - before > (key === "heapUsed" ? GROWTH_MAX * before : COUNT_GROWTH_MIN);
});
const [heapBefore, heapAfter] = lowestOfHalves("heapUsed");
process.stdout.write(
	[
		`${service.submits()} tasks in ${((Date.now() - startMs) / 1000).toFixed(0)} s`,
		`growth of the heap in the second half    ${((heapAfter / heapBefore - 1) * 100).toFixed(1)} %   bound ${GROWTH_MAX * 100} %`,
		growing.length === 0 ? "nothing grows" : `GROWS: ${growing.join(", ")}`,
		"",
	].join("\n"),
);
process.exitCode = growing.length === 0 ? 0 : 1;
