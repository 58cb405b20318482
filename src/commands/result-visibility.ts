import { activeBlock } from "../services/moderation/policy.ts";
import type { Services } from "./command.ts";

/** Of the three seconds until the first answer, what a store may take. */
const READ_MS_MAX = 1_000;

/**
 * Whether only whoever asked sees the result: as they say, else as the server wants it. Where that is not known in time, it
 * is private: who wants to can show it later, and nobody could hide it again. Who is blocked reads alone that they are, and
 * why.
 */
export async function isResultPrivate(
	{ guildId, userId }: { readonly guildId: string; readonly userId: string },
	wanted: boolean | null,
	{ settings, clock }: Pick<Services, "settings" | "clock">,
): Promise<boolean> {
	if (wanted === true) return true;
	const known = new AbortController();
	const tooLong = clock.sleep(READ_MS_MAX, known.signal).then(
		() => wanted ?? true,
		() => wanted ?? true,
	);
	const decided = settings
		.read(guildId)
		.then((read) => activeBlock(read, userId, clock.nowMs()) !== undefined || (wanted ?? read.media.private));
	try {
		return await Promise.race([decided, tooLong]);
	} finally {
		known.abort();
	}
}
