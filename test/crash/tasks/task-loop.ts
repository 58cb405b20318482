import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openUserClient, type UserClient, type Reply } from "@atelier/playground/user-client";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import type { Random } from "../../simulation/random.ts";
import { startBot, type Bot } from "./bot.ts";
import { compare } from "./compare.ts";
import { openExternalServices } from "./external-services.ts";

export interface TaskLoopOptions {
	readonly kills: number;
	/** Commands that must have their image before the end. */
	readonly tasks: number;
	/** Processes of the bot on one store. */
	readonly bots: number;
	readonly storeUrl: string;
	readonly queueUrl?: string | undefined;
	readonly random: Random;
}

export interface TaskLoopReport {
	readonly kills: number;
	/** Commands that became tasks, and those that came while no bot was connected. */
	readonly tasks: number;
	readonly notTaken: number;
	readonly completed: number;
	/** The faults that were found. */
	readonly faults: readonly string[];
}

const KILL_MS_MIN = 200;
const KILL_MS_MAX = 1500;
const TYPE_MS_MAX = 600;
const END_TIMEOUT_MS = 120_000;
/** Well below what one server may have in the making: bots that are killed all the time do not keep up with who types. */
const UNDER_WAY_MAX = 32;
/** A command whose bot died before it was a task has no end. */
const FORGOTTEN_MS = 60_000;

/** Kills the bot while people use it, again and again, and then compares what they see, what was made, and what was paid. */
export async function taskLoop(options: TaskLoopOptions): Promise<TaskLoopReport> {
	const { random, storeUrl, queueUrl } = options;
	const folder = await mkdtemp(join(tmpdir(), "atelier-bots-"));
	const externalServices = await openExternalServices(random);
	const userClient = await openUserClient(externalServices.origin);
	const bots: Bot[] = [];
	try {
		for (let shard = 0; shard < options.bots; shard++) {
			bots.push(
				await startBot({
					...externalServices.env,
					STORE_URL: storeUrl,
					...(queueUrl !== undefined && { QUEUE_URL: queueUrl }),
					DATA_DIR: join(folder, "data"),
					PORT: "0",
					GUILD_CREDITS: "1000000",
					LOG_LEVEL: "info",
				}),
			);
		}
		const replies: Reply[] = [];
		const killing = new AbortController();
		const typing = type(userClient, replies, options, killing.signal);
		let killed = 0;
		for (; killed < options.kills; killed++) {
			await sleep(random.between(KILL_MS_MIN, KILL_MS_MAX));
			await random.pick(bots).kill();
		}
		killing.abort();
		await typing;
		const store = await openStore(storeUrl);
		try {
			const unended = await untilAllEnded(store);
			const { faults, tasks, notTaken, completed } = await compare(store, externalServices.studioStore, replies);
			return { kills: killed, tasks, notTaken, completed, faults: [...unended, ...faults] };
		} finally {
			await store.close();
		}
	} finally {
		await Promise.all(bots.map((bot) => bot.stop()));
		await userClient.close();
		await externalServices.close();
		await rm(folder, { recursive: true, force: true });
	}
}

/** A user who types until enough results exist and no more processes are killed. */
async function type(
	userClient: UserClient,
	replies: Reply[],
	{ tasks, random }: TaskLoopOptions,
	over: AbortSignal,
): Promise<void> {
	const completed = (): number => replies.filter(hasFile).length;
	const typedAtMs = new Map<Reply, number>();
	const underWay = (): number =>
		replies.filter((reply) => Date.now() - (typedAtMs.get(reply) ?? 0) < FORGOTTEN_MS && isUnderWay(reply)).length;
	for (let n = 1; !over.aborted || completed() < tasks; n++) {
		await sleep(random.between(0, TYPE_MS_MAX));
		while (underWay() >= UNDER_WAY_MAX) await sleep(100);
		// A playground without a bot has no commands, and says so.
		const reply = await userClient.type("/image", { prompt: `a boat with the number ${n}` }).catch(() => undefined);
		if (!reply) continue;
		replies.push(reply);
		typedAtMs.set(reply, Date.now());
	}
}

function isUnderWay(reply: Reply): boolean {
	return reply.states.length > 0 && !hasFile(reply);
}

function hasFile({ messages }: Reply): boolean {
	return messages().some(({ attachments }) => attachments.length > 0);
}

/** Resolves to what has not ended in time. */
async function untilAllEnded(store: Store): Promise<string[]> {
	const untilMs = Date.now() + END_TIMEOUT_MS;
	for (;;) {
		const open = await Array.fromAsync(createTaskStore(store).openIds());
		if (open.length === 0) return [];
		if (Date.now() > untilMs) return open.map((taskId) => `${taskId} has not ended`);
		await sleep(200);
	}
}
