/** Guilds, and their channels, roles and members. */
import { apiErrors } from "../../simulator/api-error.ts";
import type { Guild } from "../../simulator/documents.ts";
import { booleanParam, integerParam, pageById } from "../read-request.ts";
import type { RestRequest } from "../route.ts";

const LISTED_MAX = 200;
const FOUND_MAX = 1000;

/** Returns the guild of the path. A guild without the bot looks like a missing one. Checks that the bot has `permission`, if any. */
export function guildInPath(request: RestRequest, permission?: bigint): Guild {
	const { guilds, installs } = request.simulator;
	const guild = guilds.find(request.param("guild"));
	if (!guild || !installs.isMember(guild)) throw apiErrors.unknownGuild();
	if (permission !== undefined) requireGuildPermission(request, guild, permission);
	return guild;
}

export function requireGuildPermission({ simulator, actorId }: RestRequest, guild: Guild, permission: bigint): void {
	if ((simulator.members.permissions(guild, actorId) & permission) === 0n) throw apiErrors.missingPermissions();
}

/** Returns the id if it is that of a member, or of the bot. */
export function memberIdOf({ simulator: { members } }: RestRequest, guild: Guild, userId: string): string {
	if (userId === members.bot.id) return userId;
	if (!members.find(userId)) throw apiErrors.unknownUser();
	if (!guild.memberIds.includes(userId)) throw apiErrors.unknownMember();
	return userId;
}

export function read(request: RestRequest, guild: Guild): object {
	return { ...request.simulator.channels.toGuild(guild), ...counts(request, guild) };
}

function counts({ query, simulator: { installs } }: RestRequest, guild: Guild): object {
	if (!booleanParam(query, "with_counts")) return {};
	const count = guild.memberIds.length + Number(installs.isMember(guild));
	return { approximate_member_count: count, approximate_presence_count: count };
}

/** The guilds of the access token's user, else of the bot, in the order of their ids. */
export function listOwn(request: RestRequest): object {
	const { simulator, oauth2Authorization, query } = request;
	const { guilds, installs, members } = simulator;
	const user = oauth2Authorization && members.find(oauth2Authorization.userId);
	const all = user ? guilds.ofUser(user.id) : installs.joined();
	return pageById(query, all, ({ id }) => id, { limitMax: LISTED_MAX }).map((guild) => {
		const { id, name, icon, banner, features } = simulator.channels.toGuild(guild);
		const isOwner = user?.id === guild.ownerId;
		return {
			id,
			name,
			icon,
			banner,
			owner: isOwner,
			permissions: members.permissions(guild, user?.id ?? members.bot.id).toString(),
			features,
			...counts(request, guild),
		};
	});
}

export function listChannels({ simulator: { channels } }: RestRequest, guild: Guild): object {
	return channels.inGuild(guild).map(channels.toGuildChannel);
}

export function member(request: RestRequest, guild: Guild): object {
	return request.simulator.members.memberOf(guild, memberIdOf(request, guild, request.param("user")));
}

export function listRoles({ simulator }: RestRequest, guild: Guild): object {
	return simulator.channels.roles(guild);
}

/** Guilds have no emoji of their own. */
export function listEmojis(): object {
	return [];
}

export function readRole(request: RestRequest, guild: Guild): object {
	const roleId = request.param("role");
	const role = request.simulator.channels.roles(guild).find(({ id }) => id === roleId);
	if (!role) throw apiErrors.unknownRole();
	return role;
}

/** Lists members in the order of their ids, one by default. Needs the members intent of the application. */
export function listMembers(request: RestRequest, guild: Guild): object {
	const { members, seed } = request.simulator;
	if (!seed.application.privilegedIntents.includes("GuildMembers")) throw apiErrors.missingAccess();
	const limits = { limitMax: FOUND_MAX, limitDefault: 1 };
	return pageById(request.query, members.allMembers(guild), ({ user }) => user.id, limits);
}

/** Finds members by the beginning of their user name or nickname, one by default. The bot is a member, too. */
export function searchMembers(request: RestRequest, guild: Guild): object {
	const { members } = request.simulator;
	const query = request.query.get("query") ?? "";
	if (query === "") throw apiErrors.invalidField(["query"], "BASE_TYPE_REQUIRED", "This field is required");
	const foundMax = integerParam(request.query, "limit", { min: 1, max: FOUND_MAX }) ?? 1;
	const begins = (name: string | null | undefined): boolean =>
		name?.toLowerCase().startsWith(query.toLowerCase()) ?? false;
	return members
		.allMembers(guild)
		.filter(({ user, nick }) => begins(user.username) || begins(nick))
		.slice(0, foundMax);
}
