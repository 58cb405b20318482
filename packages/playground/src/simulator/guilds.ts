/**
 * The guilds: the named ones of the seed, and any number of generated ones that are alike. Generated guilds are not stored: their
 * ids follow from their numbers.
 */
import type { Commands } from "./commands.ts";
import type { Core } from "./core.ts";
import { earlierSnowflake } from "./discord-formats.ts";
import type { MemberRecords } from "./member-records.ts";
import type { AdminSettings } from "./admin-settings.ts";
import type { Seed, Guild, User } from "./documents.ts";

export type Guilds = ReturnType<typeof createGuilds>;

export function createGuilds(seed: Pick<Seed, "createdMs" | "users" | "guilds">, records: MemberRecords) {
	const withCurrentMembers = (guild: Guild): Guild => ({
		...guild,
		get memberIds() {
			return records.memberIds(guild.id, guild.memberIds);
		},
	});
	const named = seed.guilds.map(withCurrentMembers);
	const [first] = named;
	const [firstUser] = seed.users;
	if (!first || !firstUser) throw new Error("the seed has no guilds or users");
	const [firstId, firstUserId] = [first.id, firstUser.id];
	/** The named ones first. */
	const all = [...named];
	const byId = new Map(named.map((guild) => [guild.id, guild]));
	const byChannel = new Map(named.flatMap((guild) => guild.channels.map(({ id }) => [id, guild] as const)));
	/** Each generated guild has an owner of its own. */
	const owners = new Map<string, User>();

	/** Each guild is a millisecond older than the one before. */
	function generate(): Guild {
		const number = all.length - named.length + 1;
		const byMs = all.length;
		const idOf = (nth: number): string => earlierSnowflake(firstId, byMs, nth);
		const owner = { id: idOf(5), username: `owner${number}`, displayName: `Owner ${number}` };
		const guild = withCurrentMembers({
			id: idOf(0),
			name: `Server ${number}`,
			createdMs: seed.createdMs,
			ownerId: owner.id,
			adminRoleId: idOf(1),
			botRoleId: idOf(2),
			roles: [],
			channels: [
				{ id: idOf(3), name: "general", topic: "Try the commands here", overwrites: [] },
				{ id: idOf(4), name: "gallery", topic: "For the ones worth keeping", overwrites: [] },
			],
			memberIds: [owner.id, firstUserId],
		});
		all.push(guild);
		byId.set(guild.id, guild);
		for (const { id } of guild.channels) byChannel.set(id, guild);
		owners.set(owner.id, owner);
		return guild;
	}

	return {
		named,
		/** The guild of admin requests that name none. */
		first,
		all: all as readonly Guild[],
		/** Sets the total number, and returns the changes; named guilds always stay. */
		setCount(count: number): { added: readonly Guild[]; removed: readonly Guild[] } {
			const removed = all.splice(Math.max(count, named.length));
			for (const { id, channels, memberIds } of removed) {
				byId.delete(id);
				for (const userId of memberIds) owners.delete(userId);
				for (const channel of channels) byChannel.delete(channel.id);
			}
			return { added: Array.from({ length: count - all.length }, generate), removed };
		},
		find: (guildId: string): Guild | undefined => byId.get(guildId),
		ofChannel: (channelId: string): Guild | undefined => byChannel.get(channelId),
		ofUser: (userId: string): readonly Guild[] => all.filter(({ memberIds }) => memberIds.includes(userId)),
		/** Returns the owner of a generated guild. */
		findOwner: (userId: string): User | undefined => owners.get(userId),
	};
}

export type Installs = ReturnType<typeof createInstalls>;

export function createInstalls(
	{ clock, tables: { botStays }, events }: Core,
	{ adminSettings, guilds, commands }: { adminSettings: AdminSettings; guilds: Guilds; commands: Commands },
) {
	const isInstalled = ({ id }: Guild): boolean => botStays.get(id)?.isInstalled ?? true;
	const joinedMs = ({ id, createdMs }: Guild): number => botStays.get(id)?.joinedMs ?? createdMs;
	const isMember = (guild: Guild): boolean => isInstalled(guild) && adminSettings.isBotMember(guild);
	// The bot rejoins later than before, even if the clock stands still, so that its stays differ.
	events.listen((event) => {
		if (event.type !== "bot" || event.wasMember || !event.isMember) return;
		const { guild } = event;
		botStays.set(guild.id, { id: guild.id, isInstalled: true, joinedMs: Math.max(clock.nowMs(), joinedMs(guild) + 1) });
	});
	return {
		/** Returns whether the bot's commands are available in the guild. */
		isInstalled,
		/** Returns whether the bot itself is a member, not only its commands. */
		isMember,
		/** Returns the guilds of which the bot is a member. */
		joined: (): readonly Guild[] => guilds.all.filter(isMember),
		/** Returns the time at which the bot joined the guild. */
		joinedMs,
		/** Sets the number of guilds; the bot joins the new ones and is told about the removed ones. */
		setCount: (count: number): void => events.emit({ type: "guilds", ...guilds.setCount(count) }),
		/** Also removes the commands of this guild. */
		remove(guild: Guild): void {
			if (!isInstalled(guild)) return;
			const wasMember = isMember(guild);
			botStays.set(guild.id, { id: guild.id, isInstalled: false, joinedMs: joinedMs(guild) });
			commands.removeGuild(guild.id);
			events.emit({ type: "bot", guild, wasMember, isMember: false });
		},
		add(guild: Guild): void {
			if (isInstalled(guild)) return;
			botStays.set(guild.id, { id: guild.id, isInstalled: true, joinedMs: joinedMs(guild) });
			events.emit({ type: "bot", guild, wasMember: false, isMember: isMember(guild) });
		},
	};
}
