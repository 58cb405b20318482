/** Keeps what the reader has not saved or sent in the tab while they log in again. */
import { z } from "zod";
import { SettingsDocument } from "../../src/schemas/settings.ts";
import { ServerSettings } from "../../src/server-settings.ts";
import { CreditChangeDraft } from "./credit-change.ts";
import { StyleDraft } from "./style-options.ts";

const NAME = "drafts";

/** The drafts of one server. */
const Drafts = z.object({
	/** Changed settings, and the stored ones that they are based on. `null` before they are read. */
	settings: z.object({ saved: SettingsDocument, draft: ServerSettings }).nullable(),
	manager: CreditChangeDraft,
	operator: CreditChangeDraft,
	style: StyleDraft,
});
export type Drafts = z.infer<typeof Drafts>;
type DraftsByServer = Readonly<Record<string, Drafts>>;
const Kept = z.object({ userId: z.string(), drafts: z.record(z.string(), Drafts) });

/** Returns false if the tab has no storage, or a full one. */
export function keepDrafts(storage: () => Storage, userId: string, drafts: DraftsByServer): boolean {
	try {
		storage().setItem(NAME, JSON.stringify({ userId, drafts } satisfies z.infer<typeof Kept>));
		return true;
	} catch {
		return false;
	}
}

/** Returns the drafts of the reader by server, and removes them from the tab. Returns none if they cannot be read. */
export function takeDrafts(storage: () => Storage, userId: string): DraftsByServer {
	try {
		const text = storage().getItem(NAME) ?? "null";
		storage().removeItem(NAME);
		const { data } = Kept.safeParse(JSON.parse(text));
		return data?.userId === userId ? data.drafts : {};
	} catch {
		return {};
	}
}
