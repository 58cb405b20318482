/** Who is in the guild, as Discord describes people: users, members, and what they may do. */
import type { APIGuildMember, APIInteractionGuildMember, APIUser } from "discord-api-types/v10";
import { Locale, PermissionFlagsBits } from "discord-api-types/v10";
import type { PageMember } from "../page-contract.ts";
import { flagsOf } from "./flags.ts";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedMember } from "./seed.ts";
import type { Switches } from "./switches.ts";
import { discordTime } from "./time.ts";

export interface People {
	readonly bot: APIUser;
	/** The person a page without a `user` speaks as. */
	readonly first: SeedMember;
	readonly find: (userId: string) => SeedMember | undefined;
	readonly all: () => readonly SeedMember[];
	readonly user: (member: SeedMember) => APIUser;
	readonly member: (member: SeedMember) => APIGuildMember;
	/** The member as an interaction carries them: with their permissions in the channel. */
	readonly invoker: (member: SeedMember) => APIInteractionGuildMember;
	readonly botMember: () => APIGuildMember;
	readonly permissions: (member: SeedMember) => bigint;
	readonly roleIds: (member: SeedMember) => readonly string[];
	/** The language of their Discord. */
	readonly locale: (member: SeedMember) => string;
	readonly page: (member: SeedMember) => PageMember;
}

/** What a user object always has; every key that Discord's schema requires stands here. */
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

export function createPeople(seed: Seed, switches: Pick<Switches, "members">): People {
	const byId = new Map(seed.members.map((member) => [member.id, member]));
	const [first] = seed.members;
	if (!first) throw new Error("a playground without people");
	const { application } = seed;
	const bot: APIUser = { ...userWith(application.id, application.name, null), discriminator: "0001", bot: true };

	const user = (member: SeedMember): APIUser => userWith(member.id, member.username, member.displayName);
	const memberWith = (of: APIUser, roles: string[]): APIGuildMember => ({
		user: of,
		nick: null,
		avatar: null,
		banner: null,
		avatar_decoration_data: null,
		collectibles: null,
		roles,
		joined_at: discordTime(seed.createdMs),
		premium_since: null,
		deaf: false,
		mute: false,
		pending: false,
		flags: flagsOf(0),
		communication_disabled_until: null,
	});
	const roleIds = (of: SeedMember): string[] => {
		const set = switches.members.get(of.id)?.roleIds;
		if (set) return [...set];
		const given = (seed.roles ?? []).filter(({ memberIds }) => memberIds.includes(of.id)).map(({ id }) => id);
		return of.isAdmin ? [seed.adminRoleId, ...given] : given;
	};
	const member = (of: SeedMember): APIGuildMember => memberWith(user(of), roleIds(of));
	const permissions = (of: SeedMember): bigint => {
		const set = switches.members.get(of.id)?.permissions;
		if (set !== undefined) return set;
		const held = roleIds(of);
		if (held.includes(seed.adminRoleId)) return ALL_PERMISSIONS;
		const given = (seed.roles ?? []).filter(({ id }) => held.includes(id));
		return given.reduce((all, role) => all | BigInt(role.permissions ?? 0), EVERYONE_PERMISSIONS);
	};
	const locale = (of: SeedMember): string => switches.members.get(of.id)?.locale ?? of.locale ?? Locale.EnglishUS;

	return {
		bot,
		first,
		find: (userId) => byId.get(userId),
		all: () => seed.members,
		user,
		member,
		invoker: (of) => ({ ...member(of), user: user(of), permissions: permissions(of).toString() }),
		botMember: () => memberWith(bot, [seed.botRoleId]),
		permissions,
		roleIds,
		locale,
		page: (of) => ({
			user: user(of),
			nick: null,
			isAdmin: (permissions(of) & PermissionFlagsBits.Administrator) !== 0n,
			roleIds: roleIds(of),
			permissions: permissions(of).toString(),
			locale: locale(of),
		}),
	};
}
