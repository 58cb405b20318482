/**
 * A bot's session on one shard: connected <-> waiting for its client, then removed. The last
 * events are kept, so that a resuming client receives those that it missed once, in order.
 */
import { GatewayOpcodes } from "discord-api-types/v10";
import type { GatewayAction } from "../fault-injection.ts";

/** Discord's limit, as observed by library authors. */
const RESUME_WITHIN_MS = 5 * 60_000;
const REPLAY_EVENTS_MAX = 1_000;

export interface Connection {
	readonly version: number;
	readonly send: (payload: unknown) => void;
	readonly close: (reason: "shuttingDown" | "resumedElsewhere") => void;
	readonly perform: (action: GatewayAction) => void;
}

export type Session = ReturnType<typeof createSession>;

export function createSession({
	connection: first,
	...identity
}: {
	readonly id: string;
	readonly shardId: number;
	readonly shardCount: number;
	readonly intents: number;
	readonly connection: Connection;
}) {
	let connection: Connection | undefined = first;
	let disconnectedMs: number | undefined;
	let lastSequence = 0;
	let replayable: { readonly s: number }[] = [];

	return {
		...identity,
		/** The connection that receives events now. */
		get connection() {
			return connection;
		},
		dispatch(event: string, payload: unknown): void {
			lastSequence += 1;
			const dispatch = { op: GatewayOpcodes.Dispatch, t: event, s: lastSequence, d: payload };
			replayable.push(dispatch);
			if (replayable.length > REPLAY_EVENTS_MAX) replayable = replayable.slice(-REPLAY_EVENTS_MAX / 2);
			connection?.send(dispatch);
		},
		/** Continues on another connection; `false` if the sequence number was never sent, or is no longer kept. */
		resume(next: Connection, lastSeen: number): boolean {
			const missed = replayable.filter(({ s }) => s > lastSeen);
			if (lastSeen > lastSequence || missed.length < lastSequence - lastSeen) return false;
			connection?.close("resumedElsewhere");
			connection = next;
			disconnectedMs = undefined;
			for (const dispatch of missed) next.send(dispatch);
			return true;
		},
		disconnect(closedConnection: Connection, nowMs: number): void {
			if (connection !== closedConnection) return;
			connection = undefined;
			disconnectedMs = nowMs;
		},
		isExpired: (nowMs: number): boolean => disconnectedMs !== undefined && nowMs - disconnectedMs >= RESUME_WITHIN_MS,
	};
}
