import type { FastifyInstance } from "fastify";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";

/** What a process that works must have, each by the name under which `/readyz` shows it. */
type Held = Readonly<Record<string, () => boolean>>;

interface HealthDeps {
	readonly store: Store;
	readonly clock: Clock;
	/** From the first moment of a stop on, nothing may be sent here any more. */
	readonly stopping: AbortSignal;
	/** Without one of these it is not ready: Discord's gateway, a lease. */
	readonly mustHold: Held;
	/** What a restart may mend, and nothing else does. */
	readonly isStuck?: () => boolean;
	/** What else is worth knowing, and nothing that sending work elsewhere would mend. */
	readonly tells?: () => Readonly<Record<string, unknown>>;
}

/**
 * `/livez` says that the process turns, whatever else is down, and fails only where a restart may mend it. `/readyz` says that it
 * can do its work: the store takes a compare-and-set, what the process must hold is held, and it is not about to leave.
 */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
	const { store, clock, stopping, mustHold, isStuck = () => false, tells } = deps;
	app.get("/livez", async (_request, reply) =>
		isStuck() ? reply.code(503).send({ status: "alive, but stuck" }) : { status: "alive" },
	);
	app.get("/readyz", async (_request, reply) => {
		const storeWrites = await storeTakesWrites(store, clock.nowMs()).catch(() => false);
		const held = Object.fromEntries(Object.entries(mustHold).map(([name, isHeld]) => [name, isHeld()]));
		const isWell = storeWrites && Object.values(held).every((isHeld) => isHeld);
		const ready = isWell && !stopping.aborted;
		return reply.code(ready ? 200 : 503).send({
			status: stopping.aborted ? "stopping" : ready ? "ready" : "not ready",
			store: storeWrites,
			...held,
			...tells?.(),
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
