import type { FastifyInstance } from "fastify";
import type { Clock } from "./clock.ts";
import type { Store } from "./services/store/store.ts";

interface HealthDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly isGatewayUp: () => boolean;
	readonly isMediaUp: () => boolean;
	/** How late the latest look at a task is, as far as is known. */
	readonly oldestOverdueLookMs: () => number | undefined;
}

/**
 * `/livez` says that the process turns, whatever else is down: restarting it would mend nothing. `/readyz` says that it
 * can do its work: the store takes a compare-and-set, and Discord's gateway is connected. It also tells how late looks at
 * tasks are and whether the media service is there, which are matters for the operator, and nothing that sending commands
 * elsewhere would mend.
 */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
	const { store, clock, isGatewayUp, isMediaUp, oldestOverdueLookMs } = deps;
	app.get("/livez", () => ({ status: "alive" }));
	app.get("/readyz", async (_request, reply) => {
		const storeWrites = await storeTakesWrites(store, clock.nowMs()).catch(() => false);
		const ready = storeWrites && isGatewayUp();
		return reply.code(ready ? 200 : 503).send({
			status: ready ? "ready" : "not ready",
			store: storeWrites,
			gateway: isGatewayUp(),
			media: isMediaUp(),
			oldestOverdueLookMs: oldestOverdueLookMs() ?? null,
		});
	});
}

async function storeTakesWrites(store: Store, atMs: number): Promise<boolean> {
	const key = "health:canary";
	const before = await store.get(key);
	const written = await store.compareAndSet(key, before?.raw, { atMs });
	// Losing the race to another process's check proves the same.
	return written !== undefined || (await store.get(key)) !== undefined;
}
