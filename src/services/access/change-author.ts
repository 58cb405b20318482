/** The authors of changes, as journals and settings name them: `member:ID`, `key:NAME`, `operator` or `system`. */
import type { SURFACES } from "@atelier/dashboard/schemas/settings";
import type { Text } from "../../i18n/message-descriptor.ts";
import { memberMention } from "../../i18n/message-param-values.ts";
import { quoteName } from "../../i18n/quote.ts";

export const OPERATOR = "operator";

export type Surface = (typeof SURFACES)[number];

/** The author of a change of settings, and where they made it. */
export interface SettingsAuthor {
	readonly by: string;
	readonly via: Surface;
}

/** Returns a member as the author of a change. */
export function byMember(userId: string): string {
	return `member:${userId}`;
}

export function memberAuthor(userId: string, via: Surface): SettingsAuthor {
	return { by: byMember(userId), via };
}

/** Returns the id of the member; `null` for other authors. */
export function memberIdOf(by: string): string | null {
	return /^member:(\d+)$/.exec(by)?.[1] ?? null;
}

/** Returns the name of the API key; `null` for other authors. */
export function keyNameOf(by: string): string | null {
	return /^key:(.+)$/s.exec(by)?.[1] ?? null;
}

/** Names an author as members read it. */
export function authorText(by: string): Text {
	const memberId = memberIdOf(by);
	if (memberId !== null) return memberMention(memberId);
	const keyName = keyNameOf(by);
	if (keyName !== null) return { key: "history.byKey", params: { name: quoteName(keyName) } };
	return { key: by === OPERATOR ? "history.byOwner" : "history.bySystem" };
}
