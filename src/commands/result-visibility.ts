import { activeBlock } from "../services/moderation/policy.ts";
import type { Clock } from "@atelier/common/clock";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";

/** Discord waits three seconds for the first answer; the store may take this much of it. */
const READ_MS_MAX = 1_000;

/**
 * Decides whether the reply is ephemeral: the member's choice, else the server's setting. It is ephemeral if the settings
 * are not read in time, because a public message cannot be hidden later, and for blocked members, who alone see the denial.
 */
export async function isResultPrivate(
	{ guildId, userId }: { readonly guildId: string; readonly userId: string },
	choice: boolean | null,
	{ settings, clock }: { readonly settings: Pick<GuildSettingsStore, "read">; readonly clock: Clock },
): Promise<boolean> {
	if (choice === true) return true;
	const decision = new AbortController();
	const tooLong = clock.sleep(READ_MS_MAX, decision.signal).then(
		() => choice ?? true,
		() => choice ?? true,
	);
	const decided = settings
		.read(guildId)
		.then((stored) => activeBlock(stored, userId, clock.nowMs()) !== undefined || (choice ?? stored.media.private));
	try {
		return await Promise.race([decided, tooLong]);
	} finally {
		decision.abort();
	}
}
