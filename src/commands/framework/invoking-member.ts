import assert from "node:assert/strict";
import { PermissionFlagsBits, type BaseInteraction } from "discord.js";
import type { CommandWord } from "../../i18n/message-descriptor.ts";
import { isCommandAllowed } from "../../services/access/command-overrides.ts";
import { UserError } from "../../services/user-error.ts";
import type { Actor, Member, Viewer } from "../../services/access/member.ts";
import type { Audience, InGuild } from "./command.ts";
import type { AuthorizePress } from "./component.ts";
import { requestChannelOf } from "./interaction-channel.ts";
import type { CommandServices } from "../command-services.ts";

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

type MemberInteraction = Pick<BaseInteraction, "user" | "guildId" | "memberPermissions">;

/** Returns the member. Call it only for interactions in a server. */
export function memberOf({ guildId, user }: Pick<BaseInteraction, "user" | "guildId">): Member {
	assert(guildId !== null);
	return { guildId, userId: user.id };
}

/** Returns the member as one who acts on tasks and results, which may be those of others. */
export async function actorOf(interaction: MemberInteraction, services: CommandServices): Promise<Actor> {
	return { ...memberOf(interaction), isModerator: await isModerator(interaction, services) };
}

/** Returns the member as a viewer of results, with the channel of the interaction. */
export function viewerOf(interaction: MemberInteraction & Pick<BaseInteraction, "member" | "channelId">): Viewer {
	const { memberPermissions, channelId } = interaction;
	return {
		...memberOf(interaction),
		roleIds: roleIdsOf(interaction),
		isAdministrator: memberPermissions?.has(PermissionFlagsBits.Administrator) ?? false,
		channelId,
	};
}

export function isManager({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false;
}

/** Returns whether the member may moderate the channel of the interaction: their permission may come from the channel alone. */
export function isChannelModerator({ memberPermissions }: Pick<BaseInteraction, "memberPermissions">): boolean {
	return memberPermissions?.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.ManageMessages]) ?? false;
}

/**
 * Returns whether the member moderates the server. Only roles count: the owner of a voice channel or a ticket may have
 * _Manage Messages_ there.
 */
export async function isModerator(interaction: MemberInteraction, { directory }: CommandServices): Promise<boolean> {
	if (isManager(interaction)) return true;
	if (!isChannelModerator(interaction)) return false;
	const { guildId, userId } = memberOf(interaction);
	return (await directory.readAccess(guildId, userId))?.permissions.isModerator ?? false;
}

/** Throws a `UserError` for members without _Manage Server_, even if Discord's command permissions allow them the command. */
export function requireManager(interaction: Pick<BaseInteraction, "memberPermissions">): void {
	if (!isManager(interaction)) throw new UserError({ key: "permission.manage" });
}

export async function requireModerator(interaction: MemberInteraction, services: CommandServices): Promise<void> {
	if (!(await isModerator(interaction, services))) throw new UserError({ key: "permission.moderate" });
}

/** The members who may use a command for managers or moderators. */
interface CommandAudience extends Audience {
	/** Returns the check for the components of a command: Discord does not apply its permissions to them. */
	readonly authorizePressOf: (commandName: CommandWord) => AuthorizePress;
}

export const MANAGERS_OR_ALLOWED = audience(
	PermissionFlagsBits.ManageGuild,
	async (interaction) => isManager(interaction),
	"permission.manage",
);
export const MODERATORS_OR_ALLOWED = audience(PermissionFlagsBits.ManageMessages, isModerator, "permission.moderate");
/** Managers, whatever the admins' command permissions allow to others. */
export const MANAGERS: Audience = {
	permission: PermissionFlagsBits.ManageGuild,
	require: async (interaction) => requireManager(interaction),
};

/**
 * Includes members with the permission, and those whom the admins' command permissions allow the command, by member, role or channel.
 * Discord checks the same before a command; this check protects commands that were registered with wrong permissions.
 */
function audience(
	permission: bigint,
	isIncluded: (interaction: MemberInteraction, services: CommandServices) => Promise<boolean>,
	denial: "permission.manage" | "permission.moderate",
): CommandAudience {
	async function requireFor(
		interaction: BaseInteraction<InGuild>,
		commandName: string,
		services: CommandServices,
	): Promise<void> {
		if (await isIncluded(interaction, services)) return;
		const { applicationId, guildId, user } = interaction;
		const overrides = await services.commandOverrides.read({ applicationId, guildId, commandName });
		const member = { guildId, userId: user.id, roleIds: roleIdsOf(interaction) };
		if (!isCommandAllowed(overrides, member, requestChannelOf(interaction))) throw new UserError({ key: denial });
	}
	return {
		permission,
		require: (interaction, services) => requireFor(interaction, interaction.commandName, services),
		authorizePressOf: (commandName) => (interaction, services) => requireFor(interaction, commandName, services),
	};
}
