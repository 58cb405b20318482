/** Keeps unsaved settings in the tab while the reader logs in again. */
import type { ReadonlySignal } from "@preact/signals";
import { z } from "zod";
import { SettingsDocument } from "../../src/schemas/settings.ts";
import { ServerSettings } from "../../src/server-settings.ts";

const NAME = "drafts";

/** Changed settings, and the stored ones that they are based on. */
const Draft = z.object({ saved: SettingsDocument, draft: ServerSettings });
export type Draft = z.infer<typeof Draft>;
const Kept = z.object({ userId: z.string(), drafts: z.record(z.string(), Draft) });

interface EditedServer {
	readonly settingsStore: { readonly [Part in keyof Draft]: ReadonlySignal<Draft[Part] | null> };
}

/** Returns false if the tab has no storage, or a full one. */
export function keepDrafts(
	storage: () => Storage,
	userId: string,
	servers: ReadonlyMap<string, EditedServer>,
): boolean {
	const drafts: Record<string, Draft> = {};
	for (const [id, { settingsStore }] of servers) {
		const saved = settingsStore.saved.value;
		const draft = settingsStore.draft.value;
		if (saved && draft) drafts[id] = { saved, draft };
	}
	try {
		storage().setItem(NAME, JSON.stringify({ userId, drafts } satisfies z.infer<typeof Kept>));
		return true;
	} catch {
		return false;
	}
}

/** Returns the drafts of the reader by server, and removes them from the tab. Returns none if they cannot be read. */
export function takeDrafts(storage: () => Storage, userId: string): Readonly<Record<string, Draft>> {
	try {
		const text = storage().getItem(NAME) ?? "null";
		storage().removeItem(NAME);
		const { data } = Kept.safeParse(JSON.parse(text));
		return data?.userId === userId ? data.drafts : {};
	} catch {
		return {};
	}
}
