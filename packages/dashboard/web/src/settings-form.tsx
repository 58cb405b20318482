/** Reads the settings and the directory for pages that edit settings. */
import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Directory } from "../../src/schemas/directory.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import { withValue } from "../../src/setting-paths.ts";
import { useServer } from "./app-context.ts";
import { Loaded, useResource } from "./load-data.tsx";

/** The type of the value at a path; `undefined` is the value of a removed entry. */
type ValueAt<Tree, Path> = Path extends readonly [infer Key extends keyof Tree, ...infer Rest]
	? Rest extends readonly []
		? Tree[Key] | (string extends keyof Tree ? undefined : never)
		: ValueAt<Tree[Key], Rest>
	: never;

interface EditedSettings {
	/** With the unsaved changes. */
	readonly settings: ServerSettings;
	readonly directory: Directory;
	/** Changes one value, such as that at `["allowance", "roles", "42"]`. */
	readonly set: <const Path extends readonly string[]>(path: Path, value: ValueAt<ServerSettings, Path>) => void;
}

const SettingsContext = createContext<EditedSettings | null>(null);

/** Only for components below a `SettingsForm`. */
export function useSettings(): EditedSettings {
	const edited = useContext(SettingsContext);
	if (!edited) throw new Error("There is no SettingsForm above this component.");
	return edited;
}

export function SettingsForm({ children }: { readonly children: ComponentChildren }) {
	const { settingsStore, loadDirectory } = useServer();
	const resource = useResource(async () => {
		// Unsaved changes of another page are kept on top of the newest settings.
		const [directory] = await Promise.all([loadDirectory(), settingsStore.load()]);
		return directory;
	}, []);
	const set: EditedSettings["set"] = (path, value) =>
		settingsStore.update((settings) => withValue(settings, path, value) as ServerSettings);
	const settings = settingsStore.draft.value;
	return (
		<Loaded resource={resource}>
			{(directory) =>
				settings && <SettingsContext.Provider value={{ settings, directory, set }}>{children}</SettingsContext.Provider>
			}
		</Loaded>
	);
}
