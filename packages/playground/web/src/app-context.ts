/** The context of every component: the state, the actions, and the open views. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App } from "./app.ts";
import type { Snapshot } from "./contract.ts";

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
	const app = useContext(AppContext);
	if (!app) throw new Error("There is no AppContext above this component.");
	return app;
}

/** The snapshot. Only components below the layout may use it: the layout waits for the first snapshot. */
export function useSnapshot(): Snapshot {
	const snapshot = useApp().state.snapshot.value;
	if (!snapshot) throw new Error("There is no snapshot yet.");
	return snapshot;
}
