/**
 * How much memory does one process need for a shard of 2,500 servers, and what is left of 100,000 people who used it? Beside a
 * bot of stock discord.js with the Guilds intent, in the same run, on the same playground, which answers the same commands.
 *
 * Each server has 40 channels, 25 roles and 20 emojis, told to whoever asks for the Guilds intent; Atelier does not. Each of the
 * 100,000 types /help once. Measured after the garbage was collected. Atelier has the store (SQLite), the media client, fitting
 * and the rest in its process; the stock bot has nothing but discord.js.
 *
 * Run: node tools/node24.mjs bench/memory.ts [--guilds 2500] [--members 100000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { askState, TELLS_STATE, type ProcessState } from "./parts/ask-state.ts";
import { startLife, type Life } from "./parts/life.ts";

const SETTLE_MS = 5_000;
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
}

async function measure(
	name: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<Measured> {
	const crowd = await startLife({
		name: "crowd",
		args: ["bench/memory-crowd.ts", values.guilds],
		env: {},
		ready: "ready",
	});
	const said = (what: string): string => new RegExp(`${what} (\\S+)`).exec(crowd.lines.join("\n"))?.[1] ?? "";
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	let bot: Life | undefined;
	try {
		bot = await startLife({
			name,
			args: [...TELLS_STATE, ...args],
			env: {
				DISCORD_TOKEN: said("Bot token"),
				DISCORD_API_URL: said("API"),
				DATA_DIR: folder,
				PORT: "0",
				LOG_LEVEL: "error",
				...env,
			},
			ready: "Atelier is ready",
		});
		await sleep(SETTLE_MS);
		const ready = await askState(bot);
		const startMs = Date.now();
		crowd.write(`${values.members}\n`);
		while (!crowd.lines.some((line) => line.startsWith("answered"))) await sleep(100);
		const usedS = (Date.now() - startMs) / 1000;
		await sleep(SETTLE_MS);
		return { ready, used: await askState(bot), usedS };
	} finally {
		await bot?.stop();
		await crowd.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`.padStart(9);
const row = (name: string, { ready, used, usedS }: Measured): string =>
	`${name.padEnd(24)} ready: RSS${mib(ready.rss)}, heap${mib(ready.heapUsed)}   after ${values.members} people: RSS${mib(used.rss)}, heap${mib(used.heapUsed)}   (${usedS.toFixed(0)} s)`;

// Neither a media service nor anything to be made: a service that is not there costs a bot nothing but a line in its log.
const media = { MEDIA_API_URL: "http://127.0.0.1:9", MEDIA_API_KEY: "bench-key-0123456789", LOG_LEVEL: "info" };
const atelier = await measure("Atelier", ["src/index.ts"], media);
// What docs/scaling.md recommends where memory is dear: V8 collects new objects sooner.
const small = await measure("Atelier", ["--max-semi-space-size=4", "src/index.ts"], media);
const stock = await measure("stock discord.js", ["--input-type=module", "-e", STOCK_BOT], {});
const ratios = (ours: Measured): string => {
	const of = (read: (measured: Measured) => number): string => (read(ours) / read(stock)).toFixed(2);
	return `ready: RSS ${of(({ ready }) => ready.rss)}, heap ${of(({ ready }) => ready.heapUsed)}; used: RSS ${of(({ used }) => used.rss)}, heap ${of(({ used }) => used.heapUsed)}`;
};
process.stdout.write(
	[
		`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; ${values.guilds} servers of 40 channels, 25 roles, 20 emojis`,
		row("Atelier", atelier),
		row("--max-semi-space-size=4", small),
		row("stock discord.js", stock),
		`Atelier / stock                  ${ratios(atelier)}`,
		`--max-semi-space-size=4 / stock  ${ratios(small)}`,
		"",
	].join("\n"),
);
