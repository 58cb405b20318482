/** Runs the shards as discord.js does, guarded against malformed packets and sessions that are never resumed. */
import {
	SimpleShardingStrategy,
	WebSocketShardDestroyRecovery,
	WebSocketShardStatus,
	type ClientOptions,
} from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";
import { guardReads, type PacketReader } from "./malformed-packets.ts";

type BuildStrategy = NonNullable<NonNullable<ClientOptions["ws"]>["buildStrategy"]>;
type GatewayManager = Parameters<BuildStrategy>[0];

/** Discord responds within a second. discord.js would wait as long as heartbeats are acknowledged. */
const RESUME_MS_MAX = 30_000;

/** Private members of discord.js's shards. */
interface Shard extends PacketReader {
	readonly id: number;
	readonly status: WebSocketShardStatus;
	on(event: "hello" | "ready" | "resumed", listener: () => void): unknown;
	destroy(options: { readonly reason: string; readonly recover: WebSocketShardDestroyRecovery }): Promise<void>;
}

interface ShardingDeps {
	readonly clock: Clock;
	readonly throttledLogger: ThrottledLogger;
	readonly logger: Logger;
}

export function createSharding(deps: ShardingDeps): BuildStrategy {
	return (manager) => new GuardedStrategy(manager, deps);
}

class GuardedStrategy extends SimpleShardingStrategy {
	readonly #manager: GatewayManager;
	readonly #deps: ShardingDeps;
	#stopping = new AbortController();

	constructor(manager: GatewayManager, deps: ShardingDeps) {
		super(manager);
		this.#manager = manager;
		this.#deps = deps;
	}

	override async spawn(shardIds: number[]): Promise<void> {
		await super.spawn(shardIds);
		// discord.js destroys the strategy once before it spawns the first shards.
		this.#stopping = new AbortController();
		const { shards } = this as unknown as { readonly shards: ReadonlyMap<number, Shard> };
		for (const shard of shards.values()) {
			guardReads(shard, this.#deps.throttledLogger);
			limitResume(shard, { ...this.#deps, manager: this.#manager, stopping: this.#stopping.signal });
		}
	}

	override async destroy(...options: Parameters<SimpleShardingStrategy["destroy"]>): Promise<void> {
		this.#stopping.abort();
		await super.destroy(...options);
	}
}

interface ResumeDeps extends ShardingDeps {
	readonly manager: GatewayManager;
	readonly stopping: AbortSignal;
}

/** Drops a session that Discord does not resume in time, even over several connections, and starts a new one. */
function limitResume(shard: Shard, { manager, stopping, clock, throttledLogger, logger }: ResumeDeps): void {
	/** Aborts the running wait for a resumed session; `undefined` if none runs. */
	let resumeWait: AbortController | undefined;

	async function dropSession(): Promise<void> {
		logger.warn({ shardId: shard.id, waitedMs: RESUME_MS_MAX }, "session not resumed: starting a new one");
		await manager.options.updateSessionInfo(shard.id, null);
		// discord.js reconnects by itself in any other state.
		if (shard.status !== WebSocketShardStatus.Resuming) return;
		await shard.destroy({ reason: "no response to RESUME", recover: WebSocketShardDestroyRecovery.Reconnect });
	}

	async function dropUnlessResumed({ signal }: AbortController): Promise<void> {
		await clock.sleep(RESUME_MS_MAX, signal).catch(() => {});
		if (signal.aborted) return;
		resumeWait = undefined;
		const session = await manager.options.retrieveSessionInfo(shard.id);
		if (session) await dropSession();
	}

	function stopWaiting(): void {
		resumeWait?.abort();
		resumeWait = undefined;
	}

	shard.on("hello", () => {
		if (resumeWait || stopping.aborted) return;
		resumeWait = new AbortController();
		dropUnlessResumed(resumeWait).catch(throttledLogger.add);
	});
	for (const event of ["ready", "resumed"] as const) shard.on(event, stopWaiting);
	stopping.addEventListener("abort", stopWaiting, { once: true });
}
