/**
 * How much memory does one process need for a shard of 2,500 guilds, and how much remains after 100,000 users? Compared with a
 * bot of stock discord.js with the Guilds intent, in the same run, on the same playground, with the same commands.
 *
 * Each guild has 40 channels, 25 roles and 20 emojis, sent to bots with the Guilds intent, which Atelier does not use. Each of
 * the 100,000 users types /help once, as fast as possible; memory is measured after a pause and a garbage collection. Atelier
 * has the store (SQLite), the media client, the transcoder and all other parts in its process; the stock bot has only
 * discord.js. Atelier is started like `npm start`, and again with the flags of docs/scaling.md for little memory. About 60 MiB
 * of the resident memory are pages of the Node.js binary, which all processes share: the private part is printed too.
 *
 * Run: node tools/node24.mjs bench/memory.ts [--guilds 2500] [--members 100000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readResources, STATE_FLAGS, type ProcessState } from "./lib/read-resources.ts";
import { startProcess, type RestartableProcess } from "./lib/child-process.ts";
import { startFlags } from "./lib/start-flags.ts";

const QUIET_MS = 30_000;
/** The flags that docs/scaling.md recommends for little memory. */
const SMALL = {
	flags: ["--optimize-for-size"],
	env: { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "65536", MALLOC_TRIM_THRESHOLD_: "65536" },
};
const { values } = parseArgs({
	options: { guilds: { type: "string", default: "2500" }, members: { type: "string", default: "100000" } },
});

const STOCK_BOT = `
import { Client, Events, GatewayIntentBits } from "discord.js";
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: process.env.DISCORD_API_URL, globalRequestsPerSecond: 10000 } });
client.on(Events.Error, () => {});
client.on(Events.InteractionCreate, async (interaction) => {
	await interaction.deferReply();
	await interaction.editReply("help");
});
client.once(Events.ClientReady, () => console.log("Atelier is ready"));
await client.login(process.env.DISCORD_TOKEN);
`;

interface Measured {
	readonly ready: ProcessState;
	readonly used: ProcessState;
	readonly usedS: number;
	readonly commandMs: number;
}

async function measure(
	name: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<Measured> {
	const users = await startProcess({
		name: "crowd",
		args: ["bench/memory-load.ts", values.guilds],
		env: {},
		ready: "ready",
	});
	const printed = (what: string): string => new RegExp(`${what} (\\S+)`).exec(users.lines.join("\n"))?.[1] ?? "";
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	let bot: RestartableProcess | undefined;
	const start = (): Promise<RestartableProcess> =>
		startProcess({
			name,
			args: [...STATE_FLAGS, ...args],
			env: {
				DISCORD_TOKEN: printed("Bot token"),
				DISCORD_API_URL: printed("API"),
				DATA_DIR: folder,
				PORT: "0",
				LOG_LEVEL: "error",
				NODE_COMPILE_CACHE: join(folder, "compiled"),
				...env,
			},
			ready: "Atelier is ready",
		});
	try {
		// A first start leaves its compile cache, as `npm start` and the image do.
		bot = await start();
		await bot.stop();
		bot = await start();
		await sleep(QUIET_MS);
		const ready = await readResources(bot);
		const startMs = Date.now();
		const idleMs = await bot.cpuMs();
		users.write(`${values.members}\n`);
		while (!users.lines.some((line) => line.startsWith("answered"))) await sleep(100);
		const usedS = (Date.now() - startMs) / 1000;
		const commandMs = ((await bot.cpuMs()) - idleMs) / Number(values.members);
		await sleep(QUIET_MS);
		return { ready, used: await readResources(bot), usedS, commandMs };
	} finally {
		await bot?.stop();
		await users.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`.padStart(9);
const figures = (state: ProcessState): string =>
	`RSS${mib(state.rss)}, private${mib(state.rssPrivate)}, heap${mib(state.heapUsed)}`;
const rows = (name: string, { ready, used, usedS, commandMs }: Measured): string[] => [
	`${name.padEnd(17)} ready                  ${figures(ready)}`,
	`${"".padEnd(17)} after ${values.members} people    ${figures(used)}   (${usedS.toFixed(0)} s, ${commandMs.toFixed(2)} ms of processor time each)`,
];

// The bots have no media service and generate no files: a missing service costs a bot one log line only.
const media = { MEDIA_API_URL: "http://127.0.0.1:9", MEDIA_API_KEY: "bench-key-0123456789", LOG_LEVEL: "info" };
const usual = await measure("Atelier", [...(await startFlags()), "src/index.ts"], media);
const small = await measure("Atelier", [...SMALL.flags, "src/index.ts"], { ...media, ...SMALL.env });
const stock = await measure("stock discord.js", ["--input-type=module", "-e", STOCK_BOT], {});
const ratios = (ours: Measured): string => {
	const of = (read: (state: ProcessState) => number): string =>
		[ours.ready, ours.used]
			.map((state, n) => (read(state) / read(n === 0 ? stock.ready : stock.used)).toFixed(2))
			.join(", ");
	return `RSS ${of(({ rss }) => rss)}; private ${of(({ rssPrivate }) => rssPrivate)}; heap ${of(({ heapUsed }) => heapUsed)}`;
};
process.stdout.write(
	[
		`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; ${values.guilds} servers of 40 channels, 25 roles, 20 emojis`,
		...rows("Atelier", usual),
		...rows("small", small),
		...rows("stock discord.js", stock),
		`Atelier / stock, ready and after    ${ratios(usual)}`,
		`small / stock, ready and after      ${ratios(small)}`,
		"",
	].join("\n"),
);
