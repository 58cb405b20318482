import { useEffect } from "preact/hooks";

const POLL_MS = 1_000;

/** Calls `load` again a second after its end while the component is mounted; starts again when `loadKey` changes. */
export function usePolling(loadKey: string, load: (isCurrent: () => boolean) => Promise<void>): void {
	useEffect(() => {
		let isCurrent = true;
		let timer: ReturnType<typeof setTimeout>;
		const poll = async (): Promise<void> => {
			// The banner of the page reports a playground that does not answer.
			await load(() => isCurrent).catch(() => undefined);
			if (isCurrent) timer = setTimeout(() => void poll(), POLL_MS);
		};
		void poll();
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	}, [loadKey]);
}
