import { filesOf } from "@atelier/playground/user-client/message-contents";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { startPlayground } from "@atelier/playground";
import { openUserClient, type Reply, type UserClient } from "@atelier/playground/user-client";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createStudio } from "@atelier/studio/studio";
import { createFakeEngine, fakeImage } from "@atelier/studio/testing/fake-engine";
import { startProcess, type RestartableProcess } from "../../../bench/lib/child-process.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { childEnv } from "../../e2e/child-env.ts";
import type { Random } from "../../simulation/random.ts";
import { compareReplies, type Comparison } from "./compare-replies.ts";

interface TaskLoopOptions {
	readonly kills: number;
	/** Commands that must have their image before the end. */
	readonly tasks: number;
	/** Processes of the bot on one store. */
	readonly bots: number;
	readonly storeUrl: string;
	readonly queueUrl?: string | undefined;
	readonly random: Random;
}

const ENTRY = fileURLToPath(new URL("../../../src/index.ts", import.meta.url));
const KILL_MS_MIN = 200;
const KILL_MS_MAX = 1500;
const TYPE_MS_MAX = 600;
const RUN_MS_MIN = 50;
const RUN_MS_MAX = 2500;
const END_TIMEOUT_MS = 120_000;
/** Well below the limit of one server, because bots that are killed all the time fall behind the commands. */
const OPEN_TASKS_MAX = 32;
/** A command without a task after this time never gets one: its bot was killed before it stored the task. */
const LOST_AFTER_MS = 60_000;

/** Kills bots while a member uses them, again and again, and then compares replies, tasks and charges. */
export async function taskLoop(options: TaskLoopOptions): Promise<Comparison> {
	const { kills, random, storeUrl, queueUrl } = options;
	const folder = await mkdtemp(join(tmpdir(), "atelier-bots-"));
	const services = await startServices(random, join(folder, "media"));
	const member = await openUserClient(services.origin);
	const env = childEnv({
		...services.env,
		STORE_URL: storeUrl,
		...(queueUrl !== undefined && { QUEUE_URL: queueUrl }),
		DATA_DIR: join(folder, "data"),
		PORT: "0",
		GUILD_CREDITS: "1000000",
		LOG_LEVEL: "info",
	});
	const bots: RestartableProcess[] = [];
	const store = await openStore(storeUrl);
	try {
		for (let n = 0; n < options.bots; n++) {
			bots.push(await startProcess({ name: "the bot", args: [ENTRY], env, ready: "Atelier is ready" }));
		}
		const replies: Reply[] = [];
		const stopTyping = new AbortController();
		const typing = typeCommands(member, replies, options, stopTyping.signal);
		for (let killed = 0; killed < kills; killed++) {
			await sleep(random.between(KILL_MS_MIN, KILL_MS_MAX));
			await random.pick(bots).kill();
		}
		stopTyping.abort();
		await typing;
		const openTaskIds = await waitForOpenTasks(store);
		const comparison = await compareReplies(store, services.studioStore, replies);
		return {
			...comparison,
			violations: [...openTaskIds.map((taskId) => `${taskId} has not ended`), ...comparison.violations],
		};
	} finally {
		await Promise.all(bots.map((bot) => bot.stop()));
		await store.close();
		await member.close();
		await services.close();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Starts the services that survive the bot: the playground and a studio, in this process. */
async function startServices(random: Random, mediaDir: string) {
	const logger = pino({ level: "silent" });
	const clock = systemClock;
	const playground = await startPlayground({ logger });
	const app = fastify({ forceCloseConnections: true });
	let address = "";
	const studioStore = await openStore("memory:");
	const ledger = createLedger({ store: studioStore, clock });
	const studio = createStudio({
		store: studioStore,
		ledger,
		clock,
		logger,
		engines: [
			{
				...createFakeEngine({ concurrency: 64 }),
				async run({ taskId }, signal) {
					await sleep(random.between(RUN_MS_MIN, RUN_MS_MAX), undefined, { signal });
					return [fakeImage(taskId)];
				},
			},
		],
		mediaDir,
		origin: () => address,
		inputOrigins: () => [],
	});
	await studio.register(app);
	address = await app.listen({ port: 0, host: "127.0.0.1" });
	await studio.start();
	await ledger.grant("studio:bot", "grant", 1_000_000, { by: "operator", reason: "crash test" });
	const { key } = await studio.keys.create({ account: "bot", name: "crash test" });
	return {
		origin: playground.origin,
		studioStore,
		env: {
			DISCORD_TOKEN: playground.botToken,
			DISCORD_API_URL: playground.apiUrl,
			MEDIA_API_URL: address,
			MEDIA_API_KEY: key,
			MEDIA_API_PROFILE: "studio",
		},
		async close() {
			await studio.stop();
			await app.close();
			await playground.close();
			await studioStore.close();
		},
	};
}

/** Types commands until `stop` is aborted and enough of them have their image. */
async function typeCommands(
	member: UserClient,
	replies: Reply[],
	{ tasks, random }: TaskLoopOptions,
	stop: AbortSignal,
): Promise<void> {
	const typedAtMs = new Map<Reply, number>();
	const isOpen = (reply: Reply): boolean =>
		reply.states.length > 0 && !hasFile(reply) && Date.now() - (typedAtMs.get(reply) ?? 0) < LOST_AFTER_MS;
	for (let number = 1; !stop.aborted || replies.filter(hasFile).length < tasks; number++) {
		await sleep(random.between(0, TYPE_MS_MAX));
		while (replies.filter(isOpen).length >= OPEN_TASKS_MAX) await sleep(100);
		// The playground rejects commands while no bot is connected.
		const reply = await member.type("/image", { prompt: `a boat with the number ${number}` }).catch(() => undefined);
		if (!reply) continue;
		replies.push(reply);
		typedAtMs.set(reply, Date.now());
	}
}

function hasFile(reply: Reply): boolean {
	return reply.messages().some((message) => filesOf(message).length > 0);
}

/** Resolves to the ids of the tasks that are still open after the timeout. */
async function waitForOpenTasks(store: Store): Promise<readonly string[]> {
	const untilMs = Date.now() + END_TIMEOUT_MS;
	for (;;) {
		const openTaskIds = await Array.fromAsync(createTaskStore(store).openIds());
		if (openTaskIds.length === 0 || Date.now() > untilMs) return openTaskIds;
		await sleep(200);
	}
}
