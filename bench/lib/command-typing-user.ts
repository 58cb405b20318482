/** Types `/image` as a user, and observes the outcomes. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import type { UserClient, Reply } from "@atelier/playground/user-client";

export interface TypedCommand {
	readonly reply: Reply;
	readonly typedAtMs: number;
}

const END_TIMEOUT_MS = 120_000;
const hasFile = (message: APIMessage): boolean => filesOf(message).length > 0;

/** Types `commandCount` commands at once. Resolves to the times until the first response of those that got one within Discord's 3 s. */
export async function measureBurst(user: UserClient, commandCount: number): Promise<readonly number[]> {
	const waits = await Promise.all(
		Array.from({ length: commandCount }, async () => {
			const typedAtMs = Date.now();
			const reply = await user.type("/image", { prompt: `a boat with the number ${++promptCount}` });
			await reply.until(() => true).catch(() => {});
			return reply.failure() === undefined ? (reply.states[0]?.atMs ?? Number.NaN) - typedAtMs : undefined;
		}),
	);
	return waits.filter((waitMs) => waitMs !== undefined);
}

/** Keeps `atOnce` commands running in all guilds of a bot until `stop`, and adds each to `commands`. Resolves when the last one has ended. */
export async function keepTyping(
	{ user, channelIds }: { readonly user: UserClient; readonly channelIds: readonly string[] },
	atOnce: number,
	commands: TypedCommand[],
	stop: AbortSignal,
): Promise<void> {
	const typeRepeatedly = async (): Promise<void> => {
		while (!stop.aborted) {
			const done = await typeCommand(user, channelIds, commands);
			// A playground without a bot rejects at once.
			if (!done) await sleep(50);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, typeRepeatedly));
}

let promptCount = 0;

/** Resolves to false if the command was rejected or delivered no file in time. */
async function typeCommand(
	user: UserClient,
	channelIds: readonly string[],
	commands: TypedCommand[],
): Promise<boolean> {
	const channel = channelIds[Math.floor(Math.random() * channelIds.length)] ?? "";
	const typedAtMs = Date.now();
	try {
		const reply = await user.type("/image", { prompt: `a boat with the number ${++promptCount}` }, { channel });
		commands.push({ reply, typedAtMs });
		await reply.until(hasFile, END_TIMEOUT_MS);
		return true;
	} catch {
		return false;
	}
}

/** Times from typing to the first response and to the file, of the commands that reached them. */
export function responseTimesOf(commands: readonly TypedCommand[]): {
	readonly responseMs: number[];
	readonly fileMs: number[];
} {
	const responseMs: number[] = [];
	const fileMs: number[] = [];
	for (const { reply, typedAtMs } of commands) {
		const [first] = reply.states;
		if (first && first.kind !== "failed") responseMs.push(first.atMs - typedAtMs);
		const file = reply.states.find((state) => "message" in state && hasFile(state.message));
		if (file) fileMs.push(file.atMs - typedAtMs);
	}
	return { responseMs, fileMs };
}
