/**
 * The lease of the only studio on a store. Without a queue, a second studio would work on the same tasks as the first, so the
 * holder renews a document every 2 s. A second studio is rejected. After a crash, the next one waits for 10 s without a
 * renewal, unless it sees that the holder's process has ended. Clocks of different machines are never compared.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { OperatorError } from "@atelier/common/operator-error";
import type { Store } from "@atelier/store/store";
import { hasEnded, type ProcessIdentity } from "./process-identity.ts";

const KEY = "studio-lease";
const RENEW_EVERY_MS = 2_000;
/** A lease that was not renewed for this long is free. */
const EXPIRES_AFTER_MS = 10_000;
/** A holder renews twice in this time. */
const WATCH_MS = 2 * RENEW_EVERY_MS + 1_000;

interface LeaseDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly newId: () => string;
	readonly identity: ProcessIdentity | undefined;
	/** Called when another studio took the lease because this process had not renewed it in time: it has to stop. */
	readonly onLost: (reason: string) => void;
}

interface LeaseRecord {
	readonly studio: string;
	/** Number of renewals: a change shows that the holder is alive. */
	readonly count: number;
	readonly identity?: ProcessIdentity;
}

export type StudioLease = Awaited<ReturnType<typeof acquireStudioLease>>;

/** Acquires the lease and renews it until it is released. Throws an `OperatorError` while another studio holds it. */
export async function acquireStudioLease(deps: LeaseDeps) {
	const { store, clock, logger, identity } = deps;
	const studio = deps.newId();
	const record = { studio, ...(identity && { identity }) };
	let raw = await claimLease(deps, { ...record, count: 0 });
	let renewedAtMs = clock.nowMs();
	let isLost = false;

	/** Returns the stored text if the record is ours: the response to an earlier write may have been lost. */
	async function ownRaw(): Promise<string | undefined> {
		const found = await store.get<LeaseRecord>(KEY);
		return found?.value.studio === studio ? found.raw : undefined;
	}

	const failedRenewals = createThrottledLogger({ clock, logger, message: "lease not renewed" });
	let count = 0;
	async function renewOnce(): Promise<void> {
		if (isLost) return;
		try {
			const renewed = (await store.compareAndSet(KEY, raw, { ...record, count: ++count })) ?? (await ownRaw());
			if (renewed === undefined) {
				isLost = true;
				return deps.onLost(
					"another studio has taken over the store, because this process did not renew its lease for 10 seconds. Run one studio, or set QUEUE_URL.",
				);
			}
			raw = renewed;
			renewedAtMs = clock.nowMs();
		} catch (error) {
			// While the store is unavailable, no other studio can take the lease. If one takes it later, the next renewal fails.
			failedRenewals.add(error);
		}
	}

	const stopRenewing = startInterval({ clock, everyMs: RENEW_EVERY_MS, run: renewOnce });
	let isReleased = false;
	return {
		/** Tells whether the last renewal is recent enough that no other studio can have taken the lease. */
		isHeld: (): boolean => !isLost && !isReleased && clock.nowMs() - renewedAtMs < EXPIRES_AFTER_MS,
		/** Frees the lease for the next studio. */
		async release(): Promise<void> {
			isReleased = true;
			await stopRenewing();
			try {
				if ((await ownRaw()) !== undefined) await store.delete(KEY);
			} catch (error) {
				// The next studio waits as after a crash.
				logger.warn({ err: error }, "lease not released");
			}
		},
	};
}

/** Tells whether a studio works on the store now: reads its lease twice. A studio that has crashed does not renew it. */
export async function isLeaseRenewed({ store, clock }: Pick<LeaseDeps, "store" | "clock">): Promise<boolean> {
	const before = await store.get<LeaseRecord>(KEY);
	// Every running studio without a queue holds a lease.
	if (!before) return false;
	await clock.sleep(WATCH_MS);
	const after = await store.get<LeaseRecord>(KEY);
	return after !== undefined && after.raw !== before.raw;
}

async function claimLease({ store, clock, logger, identity }: LeaseDeps, newRecord: LeaseRecord): Promise<string> {
	const before = await store.get<LeaseRecord>(KEY);
	if (before && !hasEnded(before.value.identity, identity)) {
		logger.warn(
			{ waitMs: EXPIRES_AFTER_MS },
			"another studio holds the lease: waiting until it renews it or it expires",
		);
		await clock.sleep(EXPIRES_AFTER_MS);
	}
	const current = before && (await store.get<LeaseRecord>(KEY));
	const isFree = current?.raw === before?.raw || current === undefined;
	const raw = isFree ? await store.compareAndSet(KEY, current?.raw, newRecord) : undefined;
	if (raw !== undefined) return raw;
	throw new OperatorError(
		[
			"another studio works on this store. Stop it, or give both the same QUEUE_URL (redis://…).",
			"A bot runs its own studio unless MEDIA_API_URL and MEDIA_API_KEY name another one: with them it can use this one.",
		].join("\n"),
	);
}
