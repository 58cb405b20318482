/** The settings of one server, and the changes that the reader has not saved yet. All pages of a server share them. */
import { computed, signal } from "@preact/signals";
import type { SettingsDocument } from "../../src/schemas/settings.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import { ApiError, isConflict } from "./api-error.ts";
import type { Call } from "./api.ts";
import type { Drafts } from "./kept-drafts.ts";
import { changedPaths, valueAt } from "../../src/setting-paths.ts";
import { rebase } from "./rebase-settings.ts";

/** A save that the bot denied for the values of some settings. */
interface Denial {
	readonly paths: readonly string[];
	readonly sent: ServerSettings;
	readonly message: string;
}

type Change = (settings: ServerSettings) => ServerSettings;

export function createSettingsStore(call: Call, serverId: string, kept: Drafts["settings"] = null) {
	const params = { server: serverId };
	const saved = signal<SettingsDocument | null>(kept?.saved ?? null);
	const draft = signal<ServerSettings | null>(kept?.draft ?? null);
	const isSaving = signal(false);
	/** The ids of fields whose text is not a valid value. */
	const invalidFields = signal<ReadonlySet<string>>(new Set());
	const denial = signal<Denial | null>(null);
	/** True until the reader is told that newer settings replaced a change, or kept a save from being stored. */
	const hasConflict = signal(false);
	/** Counts the discards of the draft. After each, fields drop typed texts that are no values. */
	const resets = signal(0);
	const changes = computed(() => (saved.value && draft.value ? changedPaths(saved.value.settings, draft.value) : []));

	/** Adopts newer settings, and applies the unsaved changes to them. Ignores a late response with older ones. */
	function adopt(newer: SettingsDocument): void {
		if (saved.value && newer.revision < saved.value.revision) return;
		if (saved.value && draft.value) {
			const { settings, isDropped } = rebase(saved.value.settings, draft.value, newer.settings);
			draft.value = settings;
			if (isDropped) hasConflict.value = true;
		} else draft.value = newer.settings;
		saved.value = newer;
	}

	async function load(): Promise<void> {
		adopt(await call("settings", { params }));
	}

	async function whileSaving<Result>(work: () => Promise<Result>): Promise<Result> {
		isSaving.value = true;
		try {
			return await work();
		} finally {
			isSaving.value = false;
		}
	}

	const put = async (body: SettingsDocument): Promise<SettingsDocument> => await call("saveSettings", { params, body });

	/**
	 * Returns `false` on a conflict. After it the draft has the changes of other values on top of the newer settings. These have all
	 * changes if an earlier save stored them, whose response was lost.
	 */
	async function saveDraft(base: SettingsDocument, sent: ServerSettings): Promise<boolean> {
		try {
			const stored = await put({ revision: base.revision, settings: sent });
			// Changes that the reader made during the request stay unsaved.
			if (stored.revision >= (saved.value ?? base).revision)
				saved.value = { revision: stored.revision, settings: sent };
			adopt(stored);
			return true;
		} catch (error) {
			if (error instanceof ApiError && error.settings.length > 0)
				denial.value = { paths: error.settings, sent, message: error.message };
			if (!isConflict(error)) throw error;
			await load();
			const newer = saved.value ?? base;
			// A block and an API key change the revision only.
			const isSame = changedPaths(base.settings, newer.settings).length === 0;
			if (newer.revision > base.revision && isSame) return await saveDraft(newer, sent);
			hasConflict.value ||= changes.value.length > 0;
			return !hasConflict.value;
		}
	}

	return {
		saved,
		draft,
		changes,
		isSaving,
		invalidFields,
		hasConflict,
		resets,
		load,
		adopt,
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
			resets.value += 1;
		},
		/** Returns why the bot denied the value of a setting, until it changes or is saved again. */
		denialOf: (path: string): string | undefined => {
			if (!denial.value?.paths.includes(path)) return undefined;
			const [sent, shown] = [denial.value.sent, draft.value].map((tree) => valueAt(tree, path.split(".")));
			return sent === shown ? denial.value.message : undefined;
		},
		/** Returns `false` on a conflict, and before settings are loaded. */
		save: async (): Promise<boolean> => {
			denial.value = null;
			const base = saved.value;
			const sent = draft.value;
			return base !== null && sent !== null && (await whileSaving(() => saveDraft(base, sent)));
		},
		/** Saves one change at once, without the others of the draft. Applies it to newer settings after a conflict. */
		saveOnly: async (change: Change): Promise<void> => {
			const saveChange = async (): Promise<void> => {
				if (!saved.value) throw new Error("there are no settings yet");
				const { revision, settings } = saved.value;
				adopt(await put({ revision, settings: change(settings) }));
			};
			await whileSaving(async () => {
				try {
					await saveChange();
				} catch (error) {
					if (!isConflict(error)) throw error;
					await load();
					await saveChange();
				}
			});
		},
	};
}
