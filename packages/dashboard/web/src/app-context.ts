/** The contexts of components: the app, and the open server. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "../../src/schemas/session.ts";
import type { App } from "./app.ts";
import type { ServerContext } from "./server-context.ts";

export const AppContext = createContext<App | null>(null);
export const OpenServer = createContext<ServerContext | null>(null);

export function useApp(): App {
	const app = useContext(AppContext);
	if (!app) throw new Error("There is no AppContext above this component.");
	return app;
}

/** Only for components below the pages of a server. */
export function useServer(): ServerContext {
	const server = useContext(OpenServer);
	if (!server) throw new Error("There is no OpenServer above this component.");
	return server;
}

/** The reader's access to the open server. */
export function useAccess(): Session["servers"][number]["access"] {
	const { session } = useApp();
	const { serverId } = useServer();
	return session.value?.servers.find(({ id }) => id === serverId)?.access ?? "member";
}

/** Returns true if operators may also change something. */
export function useMayWrite(): boolean {
	return useApp().session.value?.operator?.mayWrite ?? false;
}
