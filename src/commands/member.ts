import assert from "node:assert/strict";
import {
	PermissionFlagsBits,
	type AutocompleteInteraction,
	type BaseInteraction,
	type ChatInputCommandInteraction,
} from "discord.js";
import { isCommandAllowed } from "../services/settings/command-access.ts";
import { UserError } from "../services/user-error.ts";
import type { InGuild, Services } from "./command.ts";
import { channelContextOf } from "./channel-context.ts";

/**
 * The roles of whoever typed, as the interaction carries them. A discord.js member shows only roles that the client
 * knows, and without intents it knows next to none; the ids themselves stand in a field that its types do not tell of.
 */
export function roleIdsOf({ member }: Pick<BaseInteraction, "member">): readonly string[] {
	if (!member) return [];
	if (Array.isArray(member.roles)) return member.roles;
	const { _roles: roleIds } = member as unknown as { readonly _roles: unknown };
	assert(Array.isArray(roleIds) && roleIds.every((id) => typeof id === "string"), "a member with the ids of its roles");
	return roleIds;
}

export function isManager({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false;
}

/** Who keeps order among messages may see and stop what others have the bot make for them. */
export function isModerator({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.ManageMessages]) ?? false;
}

/** Refuses whoever may not manage the server, whatever Discord's own settings let through. */
export function requireManager(interaction: Pick<BaseInteraction, "memberPermissions">): void {
	if (!isManager(interaction)) throw new UserError({ key: "managersOnly" });
}

/**
 * For commands that Discord shows to managers, or moderators, only: refuses everybody else, unless the server's admins let them in by
 * name, role or channel. Discord has checked the same before; this holds where a command was registered wrongly.
 */
export async function requireAuthorization(
	interaction: ChatInputCommandInteraction<InGuild> | AutocompleteInteraction<InGuild>,
	{ overrides }: Pick<Services, "overrides">,
	mayAlways: (interaction: Pick<BaseInteraction, "memberPermissions">) => boolean = isManager,
): Promise<void> {
	if (mayAlways(interaction)) return;
	const { applicationId, guildId, commandId, user } = interaction;
	const decided = await overrides.read({ applicationId, guildId, commandId });
	const { channelId, parentId } = channelContextOf(interaction);
	const channelIds = parentId === null ? [channelId] : [channelId, parentId];
	const asker = { guildId, userId: user.id, roleIds: roleIdsOf(interaction), channelIds };
	if (!isCommandAllowed(decided, asker))
		throw new UserError({ key: mayAlways === isManager ? "managersOnly" : "moderatorsOnly" });
}
