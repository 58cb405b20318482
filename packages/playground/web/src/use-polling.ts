import { useEffect } from "preact/hooks";

const POLL_MS = 1_000;

/**
 * Calls `load` again a second after its end while the component is mounted and `isActive`; starts again when `loadKey`
 * changes.
 */
export function usePolling(
	isActive: boolean,
	loadKey: string,
	load: (isCurrent: () => boolean) => Promise<void>,
): void {
	useEffect(() => {
		if (!isActive) return;
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
	}, [isActive, loadKey]);
}
