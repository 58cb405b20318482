import { z } from "zod";
import type { Store } from "@atelier/store/store";
import { readDocument } from "../read-document.ts";

/** The steps of `/setup`, in order. */
export const SETUP_STEPS = ["channels", "roles", "limits", "moderators"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** A version may store a step that another version does not have; `/setup` then begins again. */
const progressSchema = z.object({ step: z.enum(SETUP_STEPS).catch("channels") });
type Progress = z.infer<typeof progressSchema>;

/** Stores the current step of `/setup` of each server. Choices are stored in the settings only. */
export interface SetupProgress {
	/** Resolves to the first step for a server that has not started. */
	read(guildId: string): Promise<Progress>;
	write(guildId: string, progress: Progress): Promise<void>;
}

export function createSetupProgress(store: Store): SetupProgress {
	return {
		async read(guildId) {
			const { value = { step: "channels" } } = await readDocument(store, keyOf(guildId), progressSchema);
			return value;
		},
		write: (guildId, progress) => store.set(keyOf(guildId), progress),
	};
}

function keyOf(guildId: string): string {
	return `setup:${guildId}`;
}
