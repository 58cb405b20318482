/**
 * Limits what all servers together use at a time, such as the bytes that uploads hold in memory. Further requests wait, and are
 * admitted in an order that is fair between servers: next is the oldest request of the server that uses least.
 */
export interface FairSemaphore {
	/** Resolves to the function that releases the units. A request above the limit waits until no other one is admitted. */
	acquire(units: number, serverId: string, signal: AbortSignal): Promise<() => void>;
	/** Acquires the units without waiting. Returns `undefined` if they are not free or other requests wait. */
	tryAcquire(units: number, serverId: string): (() => void) | undefined;
}

interface WaitingRequest {
	readonly units: number;
	readonly serverId: string;
	readonly admit: () => void;
}

export function createFairSemaphore(unitsMax: number): FairSemaphore {
	const takenUnits = new Map<string, number>();
	let allTakenUnits = 0;
	const queue: WaitingRequest[] = [];

	const takenBy = (serverId: string): number => takenUnits.get(serverId) ?? 0;

	function addTaken(serverId: string, units: number): void {
		const taken = takenBy(serverId) + units;
		allTakenUnits += units;
		// Servers without an admitted request need no memory.
		if (taken > 0) takenUnits.set(serverId, taken);
		else takenUnits.delete(serverId);
	}

	function next(): WaitingRequest | undefined {
		let found = queue[0];
		for (const waiting of queue) if (found && takenBy(waiting.serverId) < takenBy(found.serverId)) found = waiting;
		return found;
	}

	/** A large request is not overtaken by smaller ones that would fit. */
	function admitWaiting(): void {
		for (let found = next(); found && allTakenUnits + found.units <= unitsMax; found = next()) {
			queue.splice(queue.indexOf(found), 1);
			addTaken(found.serverId, found.units);
			found.admit();
		}
	}

	function createRelease(units: number, serverId: string): () => void {
		let isReleased = false;
		return () => {
			if (isReleased) return;
			isReleased = true;
			addTaken(serverId, -units);
			admitWaiting();
		};
	}

	return {
		tryAcquire(units, serverId) {
			if (queue.length > 0 || allTakenUnits + units > unitsMax) return undefined;
			addTaken(serverId, units);
			return createRelease(units, serverId);
		},
		async acquire(requestedUnits, serverId, signal) {
			signal.throwIfAborted();
			// Messages without files never wait.
			if (requestedUnits === 0) return () => {};
			const units = Math.min(requestedUnits, unitsMax);
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const waiting = { units, serverId, admit: resolve };
			const cancelWait = (): void => {
				const index = queue.indexOf(waiting);
				if (index >= 0) queue.splice(index, 1);
				reject(signal.reason as Error);
				admitWaiting();
			};
			queue.push(waiting);
			signal.addEventListener("abort", cancelWait, { once: true });
			admitWaiting();
			await promise.finally(() => signal.removeEventListener("abort", cancelWait));
			return createRelease(units, serverId);
		},
	};
}
