/** The data of one server that several pages share. */
import { signal } from "@preact/signals";
import type { Directory } from "../../src/schemas.ts";
import type { Call } from "./api.ts";
import type { Draft } from "./kept-drafts.ts";
import { createMemberNames } from "./member-names.ts";
import { createSettingsStore } from "./settings-store.ts";

export type ServerContext = ReturnType<typeof createServerContext>;

/** `draft`: unsaved settings from before the reader logged in again. */
export function createServerContext(call: Call, serverId: string, draft?: Draft) {
	const params = { server: serverId };
	/** `null` before `loadDirectory`; ids are then shown instead of names. */
	const directory = signal<Directory | null>(null);
	return {
		serverId,
		params,
		directory,
		loadDirectory: async (): Promise<Directory> => {
			directory.value ??= await call("directory", { params });
			return directory.value;
		},
		names: createMemberNames({
			read: async (ids) => (await call("memberNames", { params, query: { ids: ids.join(",") } })).members,
			setTimeout: (run, delayMs) => setTimeout(run, delayMs),
		}),
		settingsStore: createSettingsStore(call, serverId, draft),
	};
}
