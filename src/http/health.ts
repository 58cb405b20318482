import type { FastifyInstance } from "fastify";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";

/** Readiness conditions by their name in `/readyz`: Discord's gateway, the studio's lease. */
type Checks = Readonly<Record<string, () => boolean>>;

/** The result of a check of the store is shared for this time: each check is a write, and the request needs no authorization. */
const STORE_CHECK_MS = 1_000;

interface HealthDeps {
	readonly store: Store;
	readonly clock: Clock;
	/** Aborted when shutdown begins: the process is no longer ready. */
	readonly stopping: AbortSignal;
	readonly checks: Checks;
	/** True if only a restart can help. */
	readonly isStuck?: () => boolean;
	/** Shown by `/readyz`; does not change the status. */
	readonly details?: () => Readonly<Record<string, unknown>>;
}

/**
 * Registers `/livez`, which fails only if a restart may help, and `/readyz`, which requires a successful
 * compare-and-set in the store, passing checks, and no shutdown.
 */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
	const { store, clock, stopping, checks, isStuck = () => false, details } = deps;
	let storeCheck: { readonly atMs: number; readonly isWritable: Promise<boolean> } | undefined;
	async function checkStore(): Promise<boolean> {
		const nowMs = clock.nowMs();
		if (!storeCheck || Math.abs(nowMs - storeCheck.atMs) >= STORE_CHECK_MS) {
			storeCheck = { atMs: nowMs, isWritable: isStoreWritable(store, nowMs).catch(() => false) };
		}
		return await storeCheck.isWritable;
	}
	app.get("/livez", async (_request, reply) =>
		isStuck() ? reply.code(503).send({ status: "alive, but stuck" }) : { status: "alive" },
	);
	app.get("/readyz", async (_request, reply) => {
		const isWritable = await checkStore();
		const results = Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check()]));
		const passesAll = isWritable && Object.values(results).every((passes) => passes);
		const readiness = passesAll ? "ready" : "not ready";
		const status = stopping.aborted ? "stopping" : readiness;
		return reply.code(status === "ready" ? 200 : 503).send({ status, store: isWritable, ...results, ...details?.() });
	});
}

async function isStoreWritable(store: Store, atMs: number): Promise<boolean> {
	const key = "health:canary";
	const before = await store.get(key);
	const written = await store.compareAndSet(key, before?.raw, { atMs });
	// Losing the race against another process proves the same.
	return written !== undefined || (await store.get(key)) !== undefined;
}
