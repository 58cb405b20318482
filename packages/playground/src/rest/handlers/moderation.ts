/**
 * Moderation by the bot. Each action needs a permission, which most routes name. Kicks, bans, timeouts and nicknames also
 * need a role above those of the member, and changes of roles a role above the changed ones.
 */
import {
	type APIGuildMember,
	PermissionFlagsBits as Permission,
	type RESTPatchAPIGuildMemberJSONBody,
	type RESTPutAPIGuildBanJSONBody,
} from "discord-api-types/v10";
import type { Nullable } from "../../json.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Ban, Guild } from "../../simulator/documents.ts";
import type { MemberChanges } from "../../simulator/members.ts";
import { pageById } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import { memberIdOf, requireGuildPermission } from "./guilds.ts";

const LISTED_BANS_MAX = 1_000;
const TIMEOUT_MS_MAX = 28 * 24 * 60 * 60_000;
const DAY_S = 24 * 60 * 60;

/** Only the admin role is above the bot's own. */
function requireRoleBelow({ simulator }: RestRequest, guild: Guild, roleId: string): void {
	if (!simulator.channels.roles(guild).some(({ id }) => id === roleId)) throw apiErrors.unknownRole();
	if (roleId === guild.id || roleId === guild.botRoleId) throw apiErrors.invalidRole();
	if (roleId === guild.adminRoleId) throw apiErrors.missingPermissions();
}

/** The bot cannot act on itself, on the owner, or on members with a role above its own. */
function requireOutranked({ simulator: { members } }: RestRequest, guild: Guild, userId: string): void {
	const outranksBot = userId === guild.ownerId || members.roleIds(guild, userId).includes(guild.adminRoleId);
	if (outranksBot || userId === members.bot.id) throw apiErrors.missingPermissions();
}

export function kick(request: RestRequest, guild: Guild): void {
	const userId = memberIdOf(request, guild, request.param("user"));
	requireOutranked(request, guild, userId);
	const { simulator } = request;
	simulator.atomically(() => simulator.members.remove(guild, userId));
}

export function ban(request: RestRequest, guild: Guild): void {
	const { simulator, body, reason } = request;
	const userId = request.param("user");
	if (!simulator.members.userOf(userId)) throw apiErrors.unknownUser();
	requireOutranked(request, guild, userId);
	const { delete_message_seconds: seconds, delete_message_days: days } = body as Nullable<RESTPutAPIGuildBanJSONBody>;
	const deleteS = seconds ?? (days ?? 0) * DAY_S;
	const deleteSinceMs = deleteS === 0 ? Number.POSITIVE_INFINITY : simulator.clock.nowMs() - deleteS * 1_000;
	simulator.atomically(() => simulator.members.ban(guild, userId, reason, deleteSinceMs));
}

function banOf(request: RestRequest, guild: Guild): Ban {
	const found = request.simulator.members.findBan(guild, request.param("user"));
	if (!found) throw apiErrors.unknownBan();
	return found;
}

const toBan = ({ simulator }: RestRequest, { userId, reason }: Ban): object => ({
	user: simulator.members.userOf(userId) ?? simulator.members.deletedUser(userId),
	reason,
});

export function readBan(request: RestRequest, guild: Guild): object {
	return toBan(request, banOf(request, guild));
}

export function unban(request: RestRequest, guild: Guild): void {
	const { userId } = banOf(request, guild);
	request.simulator.members.unban(guild, userId);
}

/** Lists bans in the order of the users' ids. */
export function listBans(request: RestRequest, guild: Guild): object {
	const bans = request.simulator.members.bans(guild);
	const page = pageById(request.query, bans, ({ userId }) => userId, { limitMax: LISTED_BANS_MAX });
	return page.map((each) => toBan(request, each));
}

export function editMember(request: RestRequest, guild: Guild): object {
	const { simulator } = request;
	const body = request.body as RESTPatchAPIGuildMemberJSONBody;
	const userId = memberIdOf(request, guild, request.param("user"));
	if (body.flags != null) throw apiErrors.invalidField(["flags"], "UNSUPPORTED", "The playground cannot change this.");
	// There are no voice channels.
	if (body.mute != null || body.deaf != null || body.channel_id !== undefined) throw apiErrors.notInVoice();
	const changes: MemberChanges = {
		...(body.nick !== undefined && { nick: nickFor(request, guild, userId, body.nick) }),
		...(body.roles !== undefined && { roleIds: rolesFor(request, guild, userId, body.roles) }),
		...(body.communication_disabled_until !== undefined && {
			timedOutUntilMs: timeoutFor(request, guild, userId, body.communication_disabled_until),
		}),
	};
	if (Object.keys(changes).length > 0) simulator.atomically(() => simulator.members.change(guild, userId, changes));
	return simulator.members.memberOf(guild, userId);
}

export function editOwnMember(request: RestRequest, guild: Guild): APIGuildMember {
	const { simulator, body } = request;
	const { nick } = body as { nick?: string | null };
	if (nick !== undefined) {
		requireGuildPermission(request, guild, Permission.ChangeNickname);
		simulator.members.change(guild, simulator.members.bot.id, { nick: nick?.trim() || null });
	}
	return simulator.members.botMember(guild);
}

/** eris uses this older route. */
export function editOwnNickname(request: RestRequest, guild: Guild): object {
	return { nick: editOwnMember(request, guild).nick };
}

function nickFor(request: RestRequest, guild: Guild, userId: string, nick: string | null): string | null {
	requireGuildPermission(request, guild, Permission.ManageNicknames);
	if (userId !== request.simulator.members.bot.id) requireOutranked(request, guild, userId);
	return nick?.trim() || null;
}

function rolesFor(
	request: RestRequest,
	guild: Guild,
	userId: string,
	roles: readonly (string | null)[] | null,
): string[] {
	requireGuildPermission(request, guild, Permission.ManageRoles);
	const { members } = request.simulator;
	const wanted = new Set((roles ?? []).filter((id) => id !== null));
	// discord.js sends all roles of a member: Discord ignores the role of @everyone, and the bot keeps its own role.
	wanted.delete(guild.id);
	if (userId === members.bot.id) wanted.delete(guild.botRoleId);
	const held = new Set(members.roleIds(guild, userId));
	for (const id of wanted.symmetricDifference(held)) requireRoleBelow(request, guild, id);
	return [...wanted];
}

function timeoutFor(request: RestRequest, guild: Guild, userId: string, until: string | null): number | null {
	const { clock, members } = request.simulator;
	requireGuildPermission(request, guild, Permission.ModerateMembers);
	requireOutranked(request, guild, userId);
	const isAdmin = (members.permissions(guild, userId) & Permission.Administrator) !== 0n;
	if (until === null) return null;
	if (isAdmin) throw apiErrors.missingPermissions();
	const untilMs = Date.parse(until);
	if (untilMs > clock.nowMs() + TIMEOUT_MS_MAX)
		throw apiErrors.invalidField(
			["communication_disabled_until"],
			"INVALID_COMMUNICATION_DISABLED_TIMESTAMP",
			"Invalid communication disabled timestamp",
		);
	return untilMs;
}

/** The member and the role in the path, if the bot may give or take the role. */
function assignmentOf(request: RestRequest, guild: Guild): { userId: string; roleId: string } {
	const userId = memberIdOf(request, guild, request.param("user"));
	const roleId = request.param("role");
	requireRoleBelow(request, guild, roleId);
	return { userId, roleId };
}

export function addRole(request: RestRequest, guild: Guild): void {
	const { userId, roleId } = assignmentOf(request, guild);
	const { members } = request.simulator;
	const held = members.roleIds(guild, userId);
	if (!held.includes(roleId)) members.change(guild, userId, { roleIds: [...held, roleId] });
}

export function removeRole(request: RestRequest, guild: Guild): void {
	const { userId, roleId } = assignmentOf(request, guild);
	const { members } = request.simulator;
	const held = members.roleIds(guild, userId);
	if (held.includes(roleId)) members.change(guild, userId, { roleIds: held.filter((id) => id !== roleId) });
}
