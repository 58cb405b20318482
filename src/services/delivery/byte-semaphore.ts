/** Limits the bytes that all uploads hold in memory at a time. Further uploads wait. */
export interface ByteSemaphore {
	/** Resolves to the function that releases the bytes. An upload above the limit waits until no other upload runs. */
	acquire(bytes: number, signal: AbortSignal): Promise<() => void>;
	/** Acquires the bytes without waiting. Returns `undefined` if they are not free or other uploads wait. */
	tryAcquire(bytes: number): (() => void) | undefined;
}

interface WaitingUpload {
	readonly bytes: number;
	readonly admit: () => void;
}

export function createByteSemaphore(bytesMax: number): ByteSemaphore {
	let takenBytes = 0;
	const queue: WaitingUpload[] = [];

	function admitWaiting(): void {
		for (let next = queue[0]; next && takenBytes + next.bytes <= bytesMax; next = queue[0]) {
			queue.shift();
			takenBytes += next.bytes;
			next.admit();
		}
	}

	function createRelease(bytes: number): () => void {
		let isReleased = false;
		return () => {
			if (isReleased) return;
			isReleased = true;
			takenBytes -= bytes;
			admitWaiting();
		};
	}

	return {
		tryAcquire(bytes) {
			if (queue.length > 0 || takenBytes + bytes > bytesMax) return undefined;
			takenBytes += bytes;
			return createRelease(bytes);
		},
		async acquire(requestedBytes, signal) {
			signal.throwIfAborted();
			// Messages without files never wait.
			if (requestedBytes === 0) return () => {};
			const bytes = Math.min(requestedBytes, bytesMax);
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const waiting = { bytes, admit: resolve };
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
			return createRelease(bytes);
		},
	};
}
