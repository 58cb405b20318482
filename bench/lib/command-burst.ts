import type { UserClient } from "@atelier/playground/user-client";

/** Many commands that a user sends at once. */
export interface Burst {
	/** From typing to the first response, of the commands that got one within the three seconds of Discord. */
	readonly responseMs: readonly number[];
	readonly unanswered: number;
}

/** Types `/image` many times at once. Resolves when each has a response or has none in time. */
export async function measureBurst(user: UserClient, commands: number): Promise<Burst> {
	const waits = await Promise.all(
		Array.from({ length: commands }, async (_, n) => {
			const typedAtMs = Date.now();
			const reply = await user.type("/image", { prompt: `a boat with the number ${n}` });
			await reply.until(() => true).catch(() => {});
			return reply.failure() === undefined ? (reply.states[0]?.atMs ?? Number.NaN) - typedAtMs : undefined;
		}),
	);
	const responseMs = waits.filter((waitMs) => waitMs !== undefined);
	return { responseMs, unanswered: commands - responseMs.length };
}
