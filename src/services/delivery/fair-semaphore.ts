export type FairSemaphore = ReturnType<typeof createFairSemaphore>;

interface WaitingRequest {
	readonly units: number;
	readonly admit: () => void;
}

/**
 * Limits what all servers together use at a time, such as the bytes that uploads hold in memory. Further requests wait. Waiting
 * servers take turns: a server with a single request waits for one request of each other server at most.
 */
export function createFairSemaphore(unitsMax: number) {
	let takenUnits = 0;
	/** Requests by server, the next server first. No list is empty. */
	const queues = new Map<string, WaitingRequest[]>();

	/** A large request is not overtaken by smaller ones that would fit. */
	function admitWaiting(): void {
		for (const [serverId, [first, ...others]] of queues) {
			if (!first || takenUnits + first.units > unitsMax) return;
			queues.delete(serverId);
			// The iteration reaches it again after the other servers.
			if (others.length > 0) queues.set(serverId, others);
			takenUnits += first.units;
			first.admit();
		}
	}

	function createRelease(units: number): () => void {
		return () => {
			takenUnits -= units;
			admitWaiting();
		};
	}

	return {
		/** Acquires the units without waiting. Returns `undefined` if they are not free or other requests wait. */
		tryAcquire(units: number): (() => void) | undefined {
			if (queues.size > 0 || takenUnits + units > unitsMax) return undefined;
			takenUnits += units;
			return createRelease(units);
		},
		/**
		 * Resolves to the function that releases the units, to be called once. A request above the limit waits until all others are
		 * released. Rejects with the signal's reason when aborted.
		 */
		async acquire(requestedUnits: number, serverId: string, signal: AbortSignal): Promise<() => void> {
			signal.throwIfAborted();
			// A message without files acquires no bytes, and never waits.
			if (requestedUnits === 0) return () => {};
			const units = Math.min(requestedUnits, unitsMax);
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const request: WaitingRequest = { units, admit: resolve };
			const cancelWait = (): void => {
				const others = (queues.get(serverId) ?? []).filter((each) => each !== request);
				if (others.length > 0) queues.set(serverId, others);
				else queues.delete(serverId);
				reject(signal.reason as Error);
				admitWaiting();
			};
			queues.set(serverId, [...(queues.get(serverId) ?? []), request]);
			signal.addEventListener("abort", cancelWait, { once: true });
			admitWaiting();
			await promise.finally(() => signal.removeEventListener("abort", cancelWait));
			return createRelease(units);
		},
	};
}
