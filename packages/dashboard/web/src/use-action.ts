import { useSignal } from "@preact/signals";
import { useApp } from "./app-context.ts";

/** Runs an action: `isBusy` meanwhile. A notice shows its error, unless `onError` does. */
export function useAction(onError?: (cause: unknown) => void) {
	const { notifyError } = useApp();
	const isBusy = useSignal(false);
	const run = async (action: () => Promise<void> | void): Promise<void> => {
		isBusy.value = true;
		try {
			await action();
		} catch (cause) {
			(onError ?? notifyError)(cause);
		} finally {
			isBusy.value = false;
		}
	};
	return { isBusy, run };
}
