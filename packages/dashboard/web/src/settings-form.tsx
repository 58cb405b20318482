/** Reads the settings and the directory for pages that edit settings. */
import type { ComponentChildren } from "preact";
import type { Directory } from "../../src/schemas/directory.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import { useServer } from "./app-context.ts";
import { Loaded, useResource } from "./load-data.tsx";

export interface SettingsProps {
	/** With the unsaved changes. */
	readonly settings: ServerSettings;
	readonly directory: Directory;
	readonly update: (change: Partial<ServerSettings>) => void;
}

export function SettingsForm({ children }: { readonly children: (props: SettingsProps) => ComponentChildren }) {
	const { settingsStore, loadDirectory } = useServer();
	const resource = useResource(async () => {
		// Unsaved changes of another page are kept on top of the newest settings.
		const [directory] = await Promise.all([loadDirectory(), settingsStore.load()]);
		return directory;
	}, []);
	return (
		<Loaded resource={resource} lines={10}>
			{(directory) =>
				settingsStore.draft.value &&
				children({
					settings: settingsStore.draft.value,
					directory,
					update: (change) => settingsStore.update((before) => ({ ...before, ...change })),
				})
			}
		</Loaded>
	);
}
