/** Mentions: their text, and whom a message pings. */
import type { APIMessage } from "discord-api-types/v10";
import type { PageMember } from "./contract.ts";
import { memberName } from "./display-names.ts";
import type { MentionKind } from "./markdown.ts";
import type { Page } from "./state.ts";

export function mentionText(kind: MentionKind, id: string, page: Pick<Page, "members" | "channels" | "roles">): string {
	if (kind === "channel") return `#${page.channels.find((channel) => channel.id === id)?.name ?? "unknown"}`;
	if (kind === "role") return `@${page.roles.find((role) => role.id === id)?.name ?? "unknown role"}`;
	const member = page.members.find((candidate) => candidate.user.id === id);
	return `@${member ? memberName(member) : "unknown"}`;
}

type Mentions = Pick<APIMessage, "mentions" | "mention_roles" | "mention_everyone">;

/** The users and roles that a message pings. */
export function pingedIds({ mentions, mention_roles: roleIds }: Mentions): ReadonlySet<string> {
	return new Set([...mentions.map(({ id }) => id), ...roleIds]);
}

export function pingsMember(message: Mentions, member: PageMember): boolean {
	const ids = pingedIds(message);
	return message.mention_everyone || ids.has(member.user.id) || member.roleIds.some((id) => ids.has(id));
}
