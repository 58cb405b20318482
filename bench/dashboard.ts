/**
 * How long does the overview of the dashboard take for a server with 100,000 journal entries and 10,000 tasks on SQLite? And how much
 * longer do commands wait while ten admins look at it? Everything runs in this process. Blocks of commands alternate: without admins,
 * with them, and without them again. The two without admins show how much the waits vary by themselves.
 *
 * Run: node tools/node24.mjs bench/dashboard.ts [ROUNDS]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { openStore } from "@atelier/store/open-store";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createApp } from "../src/app/create-app.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import { guildAccount } from "../src/services/credits/guild-accounts.ts";
import { createTaskStore } from "../src/services/tasks/task-store.ts";
import { openDashboard } from "../test/e2e/dashboard-client.ts";
import { describeMachine, describeWaits, median, medianAndRange, quantile } from "./lib/statistics.ts";

const JOURNAL_ENTRIES = 100_000;
const TASKS = 10_000;
const OVERVIEWS = 100;
/** Blocks with and without admins alternate, so that other work on the machine meets both. */
const BLOCKS = 4;
/** Commands of a block. */
const COMMANDS = 100;
const ADMINS = 10;
/** An open overview reads itself again this often. */
const READ_EVERY_MS = 3_000;
/** A busy server has a few jobs in an hour. */
const TASK_EVERY_MS = 5 * 60_000;
const OVERVIEW_P99_MS_MAX = 50;
const PAUSE_MS = 20_000;
const STORED_AT_ONCE = 100;
const rounds = Number(process.argv[2] ?? 3);

const logger = pino({ level: "silent" });
const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const config = loadConfig({ PORT: "0", DATA_DIR: folder, STORE_URL: `sqlite:${join(folder, "bench.db")}` });
const startAtelier = () => createApp(config, logger, { engines: [createFakeEngine()] });

/** Starts once to learn the ids of the playground, and fills the store while no process uses it. */
async function fill(): Promise<void> {
	const atelier = await startAtelier();
	const userClient = await openUserClient(atelier.origin);
	const { guild, me } = await userClient.state();
	const reply = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	const channelId = reply.channel_id;
	await userClient.close();
	await atelier.stop();
	const store = await openStore(config.STORE_URL, { logger });
	const ledger = createLedger({ store, clock: systemClock });
	const account = guildAccount(guild.id);
	await ledger.grant(account, "grant:bench", 10_000_000, { by: "operator", reason: "bench" });
	const [stored] = await Array.fromAsync(createTaskStore(store).all());
	if (!stored) throw new Error("the playground has no task to copy");
	const taskStore = createTaskStore(store);
	for (let from = 0; from < JOURNAL_ENTRIES / 2; from += STORED_AT_ONCE) {
		await Promise.all(
			Array.from({ length: STORED_AT_ONCE }, async (_, index) => {
				const id = String(BigInt(stored.id) - BigInt(from + index + 1));
				const note = { by: `member:${me.user.id}`, reason: "image", taskId: id, mediaType: "image", model: "fake" };
				await ledger.reserve(account, id, 4, note);
				await ledger.post(account, id, 4, note);
				if (from + index >= TASKS) return;
				const ageMs = (from + index + 1) * TASK_EVERY_MS;
				const times = { createdAtMs: stored.createdAtMs - ageMs, deadlineAtMs: stored.deadlineAtMs - ageMs };
				await taskStore.create({ ...stored, ...times, id, reply: { ...stored.reply, channelId } });
			}),
		);
	}
	// The tasks are copies of one that has ended: without this, the next start would recover them.
	for await (const id of taskStore.openIds()) await taskStore.removeOpenMarker(id);
	await store.close();
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const startMs = performance.now();
	await work();
	return performance.now() - startMs;
}

async function timeCommands(client: UserClient): Promise<readonly number[]> {
	const times: number[] = [];
	for (let n = 0; n < COMMANDS; n++) {
		times.push(await timed(async () => await (await client.type("/credits show")).until(isFinalReply)));
	}
	return times;
}

/** Reads the overview as an open page does, from `firstAfterMs` on: each admin begins at another time. */
async function watchOverview(firstAfterMs: number, stop: AbortSignal): Promise<void> {
	const waits = async (ms: number): Promise<void> => await sleep(ms, undefined, { signal: stop }).catch(() => {});
	await waits(firstAfterMs);
	while (!stop.aborted) {
		await call("overview", { params });
		await waits(READ_EVERY_MS);
	}
}

async function timeCommandsBesideAdmins(client: UserClient): Promise<readonly number[]> {
	const stop = new AbortController();
	const admins = Array.from({ length: ADMINS }, (_, n) => watchOverview((n * READ_EVERY_MS) / ADMINS, stop.signal));
	const times = await timeCommands(client);
	stop.abort();
	await Promise.all(admins);
	return times;
}

await fill();
const atelier = await startAtelier();
const userClient = await openUserClient(atelier.origin);
const { guild, me } = await userClient.state();
const params = { server: guild.id };
const { call } = await openDashboard(atelier.origin, me.user.id);

print(describeMachine());
const first = await timed(() => call("overview", { params }));
print(`overview, the first of a process: ${first.toFixed(0)} ms (reads the journal of the month once)`);
const overviewP99sMs: number[] = [];
/** The ratios of the median waits of a round. */
const [ratios, noise]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
	const overviews: number[] = [];
	for (let n = 0; n < OVERVIEWS; n++) overviews.push(await timed(() => call("overview", { params })));
	overviewP99sMs.push(quantile(overviews, 0.99));
	print(
		`round ${round + 1}: overview p50 ${median(overviews).toFixed(1)} ms, p99 ${quantile(overviews, 0.99).toFixed(1)} ms`,
	);
	const [alone, beside, aloneAgain]: [number[], number[], number[]] = [[], [], []];
	for (let block = 0; block < BLOCKS; block++) {
		alone.push(...(await timeCommands(userClient)));
		beside.push(...(await timeCommandsBesideAdmins(userClient)));
		aloneAgain.push(...(await timeCommands(userClient)));
	}
	print(`/credits show alone: ${describeWaits(alone)}; with ${ADMINS} admins: ${describeWaits(beside)}`);
	ratios.push(median(beside) / median([...alone, ...aloneAgain]));
	noise.push(median(aloneAgain) / median(alone));
	// The API takes 600 requests a minute from one user.
	if (round + 1 < rounds) await sleep(PAUSE_MS);
}
print(`overview p99: ${medianAndRange(overviewP99sMs, 1)} ms   bound ${OVERVIEW_P99_MS_MAX}`);
print(`/credits show with ${ADMINS} admins, compared with both blocks alone: ${medianAndRange(ratios, 2)}`);
print(`/credits show alone again, compared with alone: ${medianAndRange(noise, 2)}`);
await userClient.close();
await atelier.stop();
await rm(folder, { recursive: true, force: true });
