/** A user who types `/image` in all guilds of a bot, and observes the outcomes. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import type { UserClient, Reply } from "@atelier/playground/user-client";

export interface Typed {
	readonly reply: Reply;
	readonly typedAtMs: number;
}

const END_TIMEOUT_MS = 120_000;
const hasFile = (message: APIMessage): boolean => filesOf(message).length > 0;

/** Keeps this many commands running until `over`; resolves when the last one has ended. */
export async function keepTyping(
	{ user, channelIds }: { readonly user: UserClient; readonly channelIds: readonly string[] },
	atOnce: number,
	typed: Typed[],
	over: AbortSignal,
): Promise<void> {
	const one = async (): Promise<void> => {
		while (!over.aborted) {
			const done = await typeOne(user, channelIds, typed);
			// A playground without a bot rejects at once.
			if (!done) await sleep(50);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, one));
}

/** Types at a fixed rate, independent of the duration of each command. */
export async function typeEvery(
	{ user, channelIds }: { readonly user: UserClient; readonly channelIds: readonly string[] },
	perSecond: number,
	typed: Typed[],
	over: AbortSignal,
): Promise<void> {
	const underWay = new Set<Promise<unknown>>();
	const startMs = performance.now();
	for (let n = 0; !over.aborted; n++) {
		const waitMs = startMs + (n * 1000) / perSecond - performance.now();
		if (waitMs > 0) await sleep(waitMs);
		const one = typeOne(user, channelIds, typed).finally(() => underWay.delete(one));
		underWay.add(one);
	}
	await Promise.all(underWay);
}

let count = 0;

async function typeOne(user: UserClient, channelIds: readonly string[], typed: Typed[]): Promise<boolean> {
	const channel = channelIds[Math.floor(Math.random() * channelIds.length)] ?? "";
	const typedAtMs = Date.now();
	try {
		const reply = await user.type("/image", { prompt: `a boat with the number ${++count}` }, { channel });
		typed.push({ reply, typedAtMs });
		await reply.until(hasFile, END_TIMEOUT_MS);
		return true;
	} catch {
		return false;
	}
}

/** Times from typing to the first response and to the file, of the commands that reached them. */
export function delaysOf(typed: readonly Typed[]): { readonly answerMs: number[]; readonly fileMs: number[] } {
	const answerMs: number[] = [];
	const fileMs: number[] = [];
	for (const { reply, typedAtMs } of typed) {
		const [first] = reply.states;
		if (first && first.kind !== "failed") answerMs.push(first.atMs - typedAtMs);
		const file = reply.states.find((state) => "message" in state && hasFile(state.message));
		if (file) fileMs.push(file.atMs - typedAtMs);
	}
	return { answerMs, fileMs };
}

export function quantile(numbers: readonly number[], share: number): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
