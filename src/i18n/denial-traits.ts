import type { MessageKey } from "./message-descriptor.ts";

interface DenialTraits {
	/** The member can look up the limit that was reached, and how much is left. */
	readonly isLimit: boolean;
	/** Purchased credits would help. */
	readonly offersTopUp: boolean;
}

/**
 * Returns how a denial with this message is shown. The prefix of the key decides: a message about the credits or limits of a
 * member or server is named `limit.…`, and only such a message.
 */
export function denialTraits(key: MessageKey): DenialTraits {
	const isLimit = key.startsWith("limit.");
	return { isLimit, offersTopUp: key === "limit.serverCredits" };
}
