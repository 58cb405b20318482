/** The settings of one server, and the changes that the reader has not saved yet. All pages of a server share them. */
import { computed, signal } from "@preact/signals";
import type { z } from "zod";
import type { ServerSettings, SettingsDocument as SettingsDocumentSchema } from "../../src/schemas.ts";
import { isConflict } from "./api-error.ts";
import type { Call } from "./api.ts";
import { changedPaths, rebase, type Path } from "./settings-diff.ts";

type SettingsDocument = z.infer<typeof SettingsDocumentSchema>;
type Change = (settings: ServerSettings) => ServerSettings;

export function createSettingsStore(call: Call, serverId: string) {
	const params = { server: serverId };
	const saved = signal<SettingsDocument | null>(null);
	const draft = signal<ServerSettings | null>(null);
	const hasConflict = signal(false);
	/** Values that both sides changed since the reader began to edit. The reader's are in the draft. */
	const overlaps = signal<readonly Path[]>([]);
	const isSaving = signal(false);
	/** The ids of fields whose text is not a valid value. */
	const invalidFields = signal<ReadonlySet<string>>(new Set());
	/** Counts the discards of the draft. After each, fields drop typed texts that are no values. */
	const resets = signal(0);
	const changes = computed(() => (saved.value && draft.value ? changedPaths(saved.value.settings, draft.value) : []));

	/** Adopts newer settings, and applies the unsaved changes to them. */
	function adopt(newer: SettingsDocument): void {
		if (saved.value && draft.value) {
			const rebased = rebase(saved.value.settings, draft.value, newer.settings);
			draft.value = rebased.settings;
			overlaps.value = [...overlaps.value, ...rebased.overlaps];
		} else draft.value = newer.settings;
		saved.value = newer;
	}

	async function load(): Promise<void> {
		adopt(await call("settings", { params }));
		hasConflict.value = false;
	}

	async function put(body: SettingsDocument): Promise<SettingsDocument> {
		isSaving.value = true;
		try {
			return await call("saveSettings", { params, body });
		} finally {
			isSaving.value = false;
		}
	}

	return {
		saved,
		draft,
		changes,
		hasConflict,
		overlaps,
		isSaving,
		invalidFields,
		resets,
		load,
		update: (change: Change): void => {
			if (draft.value) draft.value = change(draft.value);
		},
		setInvalid: (field: string, isInvalid: boolean): void => {
			if (invalidFields.value.has(field) === isInvalid) return;
			const others = [...invalidFields.value].filter((each) => each !== field);
			invalidFields.value = new Set(isInvalid ? [...others, field] : others);
		},
		discard: (): void => {
			draft.value = saved.value?.settings ?? null;
			overlaps.value = [];
			hasConflict.value = false;
			resets.value += 1;
		},
		/** Returns `false` on a conflict, after which the changes stay in the draft, and before settings are loaded. */
		save: async (): Promise<boolean> => {
			if (!saved.value || !draft.value) return false;
			const sent = draft.value;
			try {
				const stored = await put({ revision: saved.value.revision, settings: sent });
				// Changes that the reader made during the request stay unsaved.
				saved.value = { revision: stored.revision, settings: sent };
				adopt(stored);
				overlaps.value = [];
				hasConflict.value = false;
				return true;
			} catch (error) {
				if (!isConflict(error)) throw error;
				hasConflict.value = true;
				return false;
			}
		},
		/** Saves one change at once, without the others of the draft. Applies it to newer settings after a conflict. */
		saveOnly: async (change: Change): Promise<void> => {
			const save = async (): Promise<void> => {
				if (!saved.value) throw new Error("there are no settings yet");
				const { revision, settings } = saved.value;
				adopt(await put({ revision, settings: change(settings) }));
			};
			try {
				await save();
			} catch (error) {
				if (!isConflict(error)) throw error;
				await load();
				await save();
			}
		},
	};
}
