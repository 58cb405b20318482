/** The data of one server that several pages share. */
import { signal } from "@preact/signals";
import type { Directory } from "../../src/schemas/directory.ts";
import type { Call } from "./api.ts";
import { isSame } from "../../src/setting-paths.ts";
import type { Drafts } from "./kept-drafts.ts";
import { isUnsaved, newDraft, withoutRequest } from "./credit-change.ts";
import { createMemberNames } from "./member-names.ts";
import { createSettingsStore } from "./settings-store.ts";
import { NEW_STYLE_DRAFT } from "./style-options.ts";

export type ServerContext = ReturnType<typeof createServerContext>;

/** `kept`: drafts from before the reader logged in again. */
export function createServerContext(call: Call, serverId: string, kept?: Drafts) {
	const params = { server: serverId };
	/** `null` before `loadDirectory`; ids are then shown instead of names. */
	const directory = signal<Directory | null>(null);
	const settingsStore = createSettingsStore(call, serverId, kept?.settings);
	const creditDrafts = {
		manager: signal(kept?.manager ?? newDraft(crypto.randomUUID(), "grant")),
		operator: signal(kept?.operator ?? newDraft(crypto.randomUUID(), "grant")),
	};
	const styleDraft = signal(kept?.style ?? NEW_STYLE_DRAFT);
	return {
		serverId,
		params,
		directory,
		/** Reads the directory anew. Without an answer the last one stays. */
		loadDirectory: async (): Promise<Directory> => {
			try {
				directory.value = await call("directory", { params });
			} catch (error) {
				if (!directory.value) throw error;
			}
			return directory.value;
		},
		names: createMemberNames(
			async (ids) => (await call("memberNames", { params, query: { ids: ids.join(",") } })).members,
		),
		settingsStore,
		/** Forms that keep what the reader typed when they leave the page. */
		creditDrafts,
		styleDraft,
		hasUnsaved: (): boolean =>
			settingsStore.changes.value.length > 0 ||
			settingsStore.invalidFields.value.size > 0 ||
			Object.values(creditDrafts).some(({ value }) => isUnsaved(value)) ||
			!isSame(styleDraft.value, NEW_STYLE_DRAFT),
		draftsToKeep: (): Drafts => {
			const [saved, draft] = [settingsStore.saved.value, settingsStore.draft.value];
			return {
				settings: saved && draft && { saved, draft },
				manager: withoutRequest(creditDrafts.manager.value),
				operator: withoutRequest(creditDrafts.operator.value),
				style: styleDraft.value,
			};
		},
	};
}
