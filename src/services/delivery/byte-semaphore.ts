/** Bounds the bytes that all uploads hold together. Further uploads wait. */
export interface ByteSemaphore {
	/** Resolves to the function that releases them. A request above the limit waits until it is alone. */
	take(bytes: number, signal: AbortSignal): Promise<() => void>;
	/** The same without waiting: `undefined` if they are not free or others wait. */
	takeNow(bytes: number): (() => void) | undefined;
}

interface Waiting {
	readonly bytes: number;
	readonly start: () => void;
}

export function createByteSemaphore(bytesMax: number): ByteSemaphore {
	let takenBytes = 0;
	const queue: Waiting[] = [];

	function startNext(): void {
		for (let next = queue[0]; next && takenBytes + next.bytes <= bytesMax; next = queue[0]) {
			queue.shift();
			takenBytes += next.bytes;
			next.start();
		}
	}

	function giverBack(bytes: number): () => void {
		let isBack = false;
		return () => {
			if (isBack) return;
			isBack = true;
			takenBytes -= bytes;
			startNext();
		};
	}

	return {
		takeNow(bytes) {
			if (queue.length > 0 || takenBytes + bytes > bytesMax) return undefined;
			takenBytes += bytes;
			return giverBack(bytes);
		},
		async take(wantedBytes, signal) {
			signal.throwIfAborted();
			// Messages without files never wait.
			if (wantedBytes === 0) return () => {};
			const bytes = Math.min(wantedBytes, bytesMax);
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const waiting = { bytes, start: resolve };
			const leave = (): void => {
				const at = queue.indexOf(waiting);
				if (at >= 0) queue.splice(at, 1);
				reject(signal.reason as Error);
				startNext();
			};
			queue.push(waiting);
			signal.addEventListener("abort", leave, { once: true });
			startNext();
			await promise.finally(() => signal.removeEventListener("abort", leave));
			return giverBack(bytes);
		},
	};
}
