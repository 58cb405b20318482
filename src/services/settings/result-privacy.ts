import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import type { Member } from "../access/member.ts";
import type { RequestChannel } from "../access/request-channel.ts";
import { activeBlock } from "./server-policy.ts";
import { channelDefaultsIn } from "./channel-defaults.ts";
import type { SettingsStore } from "./settings-store.ts";

/** Discord waits three seconds for the first response; reads before it may take this much. */
export const FIRST_READS_MS_MAX = 1_000;

/** `default`: as the settings of the channel, else of the server, say. */
export type PrivacyChoice = "private" | "public" | "default";

/** Derivatives of private results stay private. */
export function privacyOfDerivative(isSourcePrivate: boolean): PrivacyChoice {
	return isSourcePrivate ? "private" : "default";
}

/**
 * Decides whether a result is private. The reply of a blocked member is private, since it is a denial. If the choice and the settings
 * are not read in time, a result that is not expressly public is private, because a public message cannot be hidden later.
 */
export async function readResultPrivacy(
	{ guildId, userId, channelIds }: Member & Pick<RequestChannel, "channelIds">,
	choice: PrivacyChoice | Promise<PrivacyChoice>,
	{ settings, clock }: { readonly settings: Pick<SettingsStore, "read">; readonly clock: Clock },
): Promise<boolean> {
	async function read(): Promise<boolean> {
		const chosen = await choice;
		if (chosen === "private") return true;
		const stored = await settings.read(guildId);
		if (activeBlock(stored, userId, clock.nowMs())) return true;
		return chosen === "default" && (channelDefaultsIn(stored, channelIds).private ?? stored.media.private);
	}
	const isExpresslyPublic = choice === "public";
	return (await waitAtMost(clock, FIRST_READS_MS_MAX, read())) ?? !isExpresslyPublic;
}
