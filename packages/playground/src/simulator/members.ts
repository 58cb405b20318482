/** Users, and their roles and permissions in each guild. */
import type { APIGuildMember, APIInteractionGuildMember, APIUser } from "discord-api-types/v10";
import { Locale, PermissionFlagsBits } from "discord-api-types/v10";
import type { PageMember } from "../page-contract.ts";
import { flagsOf } from "./flags.ts";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedMember, SeedGuild } from "./seed.ts";
import type { Guilds } from "./guilds.ts";
import type { Overrides } from "./overrides.ts";
import { discordTime } from "./time.ts";

export interface Members {
	readonly bot: APIUser;
	/** The user of a page without a `user` parameter. */
	readonly first: SeedMember;
	readonly find: (userId: string) => SeedMember | undefined;
	/** The users that a page can act as: all with a name of their own. */
	readonly named: readonly SeedMember[];
	/** The owner first. */
	readonly in: (server: SeedGuild) => readonly SeedMember[];
	readonly user: (member: SeedMember) => APIUser;
	readonly member: (server: SeedGuild, member: SeedMember) => APIGuildMember;
	/** The member of an interaction, with permissions in the channel. */
	readonly invoker: (server: SeedGuild, member: SeedMember) => APIInteractionGuildMember;
	readonly botMember: (server: SeedGuild) => APIGuildMember;
	readonly permissions: (server: SeedGuild, member: SeedMember) => bigint;
	readonly roleIds: (server: SeedGuild, member: SeedMember) => readonly string[];
	/** The locale of the user's Discord. */
	readonly locale: (member: SeedMember) => string;
	readonly page: (server: SeedGuild, member: SeedMember) => PageMember;
}

/** The fields of every user object; contains every key that Discord's schema requires. */
function userWith(id: string, username: string, globalName: string | null): APIUser {
	return {
		id,
		username,
		global_name: globalName,
		discriminator: "0",
		avatar: null,
		avatar_decoration_data: null,
		collectibles: null,
		banner: null,
		accent_color: null,
		public_flags: flagsOf(0),
		flags: flagsOf(0),
		primary_guild: null,
	};
}

function memberWith({ createdMs }: SeedGuild, of: APIUser, roles: string[]): APIGuildMember {
	return {
		user: of,
		nick: null,
		avatar: null,
		banner: null,
		avatar_decoration_data: null,
		collectibles: null,
		roles,
		joined_at: discordTime(createdMs),
		premium_since: null,
		deaf: false,
		mute: false,
		pending: false,
		flags: flagsOf(0),
		communication_disabled_until: null,
	};
}

export function createMembers(
	seed: Seed,
	servers: Pick<Guilds, "owner">,
	switches: Pick<Overrides, "locales" | "memberChange">,
): Members {
	const byId = new Map(seed.people.map((member) => [member.id, member]));
	const [first] = seed.people;
	if (!first) throw new Error("the seed has no users");
	const { application } = seed;
	const bot: APIUser = { ...userWith(application.id, application.name, null), discriminator: "0001", bot: true };

	const user = (member: SeedMember): APIUser => userWith(member.id, member.username, member.displayName);
	const find = (userId: string): SeedMember | undefined => byId.get(userId) ?? servers.owner(userId);
	const roleIds = (server: SeedGuild, of: SeedMember): string[] => {
		const set = switches.memberChange(server, of.id)?.roleIds;
		if (set) return [...set];
		const given = server.roles.filter(({ memberIds }) => memberIds.includes(of.id)).map(({ id }) => id);
		return server.memberIds[0] === of.id ? [server.adminRoleId, ...given] : given;
	};
	const member = (server: SeedGuild, of: SeedMember): APIGuildMember =>
		memberWith(server, user(of), roleIds(server, of));
	const permissions = (server: SeedGuild, of: SeedMember): bigint => {
		const set = switches.memberChange(server, of.id)?.permissions;
		if (set !== undefined) return set;
		const held = roleIds(server, of);
		if (held.includes(server.adminRoleId)) return ALL_PERMISSIONS;
		const given = server.roles.filter(({ id }) => held.includes(id));
		return given.reduce((all, role) => all | BigInt(role.permissions ?? 0), EVERYONE_PERMISSIONS);
	};
	const locale = (of: SeedMember): string => switches.locales.get(of.id) ?? of.locale ?? Locale.EnglishUS;

	return {
		bot,
		first,
		find,
		named: seed.people,
		in: ({ memberIds }) => memberIds.flatMap((id) => find(id) ?? []),
		user,
		member,
		invoker: (server, of) => ({
			...member(server, of),
			user: user(of),
			permissions: permissions(server, of).toString(),
		}),
		botMember: (server) => memberWith(server, bot, [server.botRoleId]),
		permissions,
		roleIds,
		locale,
		page: (server, of) => ({
			user: user(of),
			nick: null,
			isAdmin: (permissions(server, of) & PermissionFlagsBits.Administrator) !== 0n,
			roleIds: roleIds(server, of),
			permissions: permissions(server, of).toString(),
			locale: locale(of),
		}),
	};
}
