import { useApp } from "../app-context.ts";

/** Returns true if operators may also change something. */
export function useMayWrite(): boolean {
	return useApp().session.value?.operator?.mayWrite ?? false;
}
