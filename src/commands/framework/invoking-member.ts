import assert from "node:assert/strict";
import { PermissionFlagsBits, type BaseInteraction } from "discord.js";
import { isCommandAllowed, type CommandOverrides } from "../../services/settings/command-access.ts";
import { channelIdsOf } from "../../services/moderation/authorization.ts";
import { UserError } from "../../services/user-error.ts";
import type { GalleryViewer } from "../../services/gallery/gallery-service.ts";
import type { JobRequester } from "../../services/tasks/job-service.ts";
import type { Audience } from "./command.ts";
import { channelContextOf } from "./channel-context.ts";

/**
 * Returns the role ids that the interaction carries. A discord.js member shows only roles in the client's cache, which is
 * nearly empty without intents; the ids are in a field that its types do not declare.
 */
export function roleIdsOf({ member }: Pick<BaseInteraction, "member">): readonly string[] {
	if (!member) return [];
	if (Array.isArray(member.roles)) return member.roles;
	const { _roles: roleIds } = member as unknown as { readonly _roles: unknown };
	assert(
		Array.isArray(roleIds) && roleIds.every((id) => typeof id === "string"),
		"expected the role ids of the member in the interaction",
	);
	return roleIds;
}

/** Returns the member as a requester of tasks. Call it only for interactions in a guild. */
export function jobRequesterOf(
	interaction: Pick<BaseInteraction, "user" | "guildId" | "memberPermissions">,
): JobRequester {
	const { guildId, user } = interaction;
	assert(guildId !== null);
	return { guildId, userId: user.id, isModerator: isModerator(interaction) };
}

/** Returns the member as a viewer of results, with the channel of the interaction. */
export function viewerOf(
	interaction: Pick<BaseInteraction, "user" | "guildId" | "member" | "memberPermissions" | "channelId">,
): GalleryViewer {
	const { memberPermissions, channelId } = interaction;
	return {
		...jobRequesterOf(interaction),
		roleIds: roleIdsOf(interaction),
		isAdministrator: memberPermissions?.has(PermissionFlagsBits.Administrator) ?? false,
		channelId,
	};
}

export function isManager({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false;
}

/** Moderators may see and cancel the tasks of other members. */
export function isModerator({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.ManageMessages]) ?? false;
}

/** Denies members without _Manage Server_, even if Discord's command permissions allow them the command. */
export function requireManager(interaction: Pick<BaseInteraction, "memberPermissions">): void {
	if (!isManager(interaction)) throw new UserError({ key: "permission.manage" });
}

export function requireModerator(interaction: Pick<BaseInteraction, "memberPermissions">): void {
	if (!isModerator(interaction)) throw new UserError({ key: "permission.moderate" });
}

type CommandUse = Parameters<Audience<unknown>["require"]>[0];

export const MANAGERS = audience(PermissionFlagsBits.ManageGuild, isManager, "permission.manage");
export const MODERATORS = audience(PermissionFlagsBits.ManageMessages, isModerator, "permission.moderate");
/** Managers, whatever the admins' command permissions allow to others. */
export const MANAGERS_ONLY: Audience<unknown> = {
	permission: PermissionFlagsBits.ManageGuild,
	require: async (interaction) => requireManager(interaction),
};

/**
 * Denies members who are neither in the audience nor allowed by the admins' command permissions for this member, role or
 * channel. Discord checks the same first; this check protects commands that were registered with wrong permissions.
 */
function audience(
	permission: bigint,
	isIncluded: (interaction: CommandUse) => boolean,
	denial: "permission.manage" | "permission.moderate",
): Audience<{ readonly commandOverrides: CommandOverrides }> {
	return {
		permission,
		async require(interaction, { commandOverrides }) {
			if (isIncluded(interaction)) return;
			const { applicationId, guildId, commandId, user } = interaction;
			const overrides = await commandOverrides.read({ applicationId, guildId, commandId });
			const channelIds = channelIdsOf(channelContextOf(interaction));
			const member = { guildId, userId: user.id, roleIds: roleIdsOf(interaction), channelIds };
			if (!isCommandAllowed(overrides, member)) throw new UserError({ key: denial });
		},
	};
}
