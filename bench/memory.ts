/**
 * How much memory does one process need for a shard of 2,500 guilds, and how much remains after 100,000 users? Compared with a
 * bot of stock discord.js with the Guilds intent, and with one without intents, in the same run, each on a playground of its own, with
 * the same servers and commands. The one without intents caches no servers: it shows what Node.js and discord.js themselves need.
 *
 * Each guild has 40 channels, 25 roles and 20 emojis, sent to bots with the Guilds intent, which Atelier does not use. Each of
 * the 100,000 users types /help once, as fast as possible; memory is measured after a pause and a garbage collection. Atelier
 * has the store (SQLite), the media client, the transcoder and all other parts in its process; the stock bot has only
 * discord.js. Atelier is started as in the image, and again with the flags of docs/scaling.md for low memory. About 55 MiB
 * of the resident memory are pages of the Node.js binary, which all processes share: the private part is printed too.
 *
 * Each of the four bots rests for 30 s before its memory is read, at ready and after the commands: that takes four minutes, plus
 * the starts and the commands. The figures of a bot are printed when it has ended.
 *
 * Run: node tools/node24.mjs bench/memory.ts [--guilds 2500] [--members 100000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readResources, RESOURCE_FLAGS, type ProcessResources } from "./lib/read-resources.ts";
import { startProcess, type RestartableProcess } from "./lib/child-process.ts";
import { build } from "../tools/build.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine } from "./lib/statistics.ts";

const QUIET_MS = 30_000;
/** The flags and variables that docs/scaling.md recommends for a machine with little memory. */
const LOW_MEMORY = {
	flags: ["--optimize-for-size", "--wasm-tiering-budget=1000000000"],
	env: { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "65536", MALLOC_TRIM_THRESHOLD_: "65536" },
};
const { values } = parseArgs({
	options: { guilds: { type: "string", default: "2500" }, members: { type: "string", default: "100000" } },
});

/** The program of a stock bot. */
const stockBot = (intents: readonly "Guilds"[]): string => `
import { Client, Events } from "discord.js";
const client = new Client({ intents: ${JSON.stringify(intents)}, rest: { api: process.env.DISCORD_API_URL, globalRequestsPerSecond: 10000 } });
client.on(Events.Error, () => {});
client.on(Events.InteractionCreate, async (interaction) => {
	await interaction.deferReply();
	await interaction.editReply("help");
});
client.once(Events.ClientReady, () => console.log("Atelier is ready"));
await client.login(process.env.DISCORD_TOKEN);
`;

interface Measurement {
	readonly ready: ProcessResources;
	readonly afterLoad: ProcessResources;
	readonly loadS: number;
	readonly cpuMsPerCommand: number;
}

async function measure(
	name: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<Measurement> {
	const loadProcess = await startProcess({
		name: "load",
		args: ["bench/processes/playground.ts", values.guilds],
		env: {},
		ready: "ready",
	});
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	let bot: RestartableProcess | undefined;
	const start = (): Promise<RestartableProcess> =>
		startProcess({
			name,
			args: [...RESOURCE_FLAGS, ...args],
			env: {
				DISCORD_TOKEN: loadProcess.printed("Bot token"),
				DISCORD_API_URL: loadProcess.printed("API"),
				DATA_DIR: folder,
				PORT: "0",
				NODE_COMPILE_CACHE: join(folder, "compiled"),
				...env,
			},
			ready: "Atelier is ready",
		});
	try {
		// The first start only fills the compile cache: bots of operators start with a full one.
		bot = await start();
		await bot.stop();
		bot = await start();
		await sleep(QUIET_MS);
		const ready = await readResources(bot);
		const loadStartMs = Date.now();
		const cpuBeforeMs = await bot.cpuMs();
		loadProcess.write(`${values.members}\n`);
		while (!loadProcess.lines.some((line) => line.startsWith("answered"))) await sleep(100);
		const loadS = (Date.now() - loadStartMs) / 1000;
		const cpuMsPerCommand = ((await bot.cpuMs()) - cpuBeforeMs) / Number(values.members);
		await sleep(QUIET_MS);
		return { ready, afterLoad: await readResources(bot), loadS, cpuMsPerCommand };
	} finally {
		await bot?.stop();
		await loadProcess.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`.padStart(9);
const formatResources = (resources: ProcessResources): string =>
	`RSS${mib(resources.rss)}, private${mib(resources.rssPrivate)}, heap${mib(resources.heapUsed)}`;
const rows = (name: string, { ready, afterLoad, loadS, cpuMsPerCommand }: Measurement): string[] => [
	`${name.padEnd(17)} ready                  ${formatResources(ready)}`,
	`${"".padEnd(17)} after ${values.members} users    ${formatResources(afterLoad)}   (${loadS.toFixed(0)} s, ${cpuMsPerCommand.toFixed(2)} ms of processor time each)`,
];

// The bots generate no files, so a missing media service costs one log line. The ready line is logged at level info.
const atelierEnv = { MEDIA_API_URL: "http://127.0.0.1:9", MEDIA_API_KEY: "bench-key-0123456789", LOG_LEVEL: "info" };
const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);
print([`${describeMachine()}; ${values.guilds} servers of 40 channels, 25 roles, 20 emojis`]);
await build();
const standard = await measure("Atelier", [...(await npmStartFlags()), "dist/index.js"], atelierEnv);
print(rows("Atelier", standard));
const lowMemory = await measure("Atelier", [...LOW_MEMORY.flags, "dist/index.js"], {
	...atelierEnv,
	...LOW_MEMORY.env,
});
print(rows("low memory", lowMemory));
const stock = await measure("stock discord.js", ["--input-type=module", "-e", stockBot(["Guilds"])], {});
print(rows("stock discord.js", stock));
const bare = await measure("no intents", ["--input-type=module", "-e", stockBot([])], {});
print(rows("no intents", bare));
const ratios = (ours: Measurement, other: Measurement): string => {
	const ratiosOf = (read: (resources: ProcessResources) => number): string => {
		const atReady = read(ours.ready) / read(other.ready);
		const afterLoad = read(ours.afterLoad) / read(other.afterLoad);
		return `${atReady.toFixed(2)}, ${afterLoad.toFixed(2)}`;
	};
	return `RSS ${ratiosOf(({ rss }) => rss)}; private ${ratiosOf(({ rssPrivate }) => rssPrivate)}; heap ${ratiosOf(({ heapUsed }) => heapUsed)}`;
};
print([
	`Atelier / stock, ready and after      ${ratios(standard, stock)}`,
	`low memory / stock, ready and after   ${ratios(lowMemory, stock)}`,
	`Atelier / no intents, ready and after ${ratios(standard, bare)}`,
]);
