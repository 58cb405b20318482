/**
 * The guilds: the named ones of the seed, and any number of identical unnamed ones. Unnamed guilds are not stored: each is
 * derived from its number, which its ids contain.
 */
import type { Commands } from "./commands.ts";
import type { Core } from "./simulator-state.ts";
import { earlierSnowflake, earlierByMs } from "./discord-formats.ts";
import type { MemberRecords } from "./member-records.ts";
import type { Overrides } from "./admin-overrides.ts";
import type { Seed, SimulatedGuild, SeedUser } from "./seed-from-fixture.ts";

export const GUILDS_MAX = 100_000;
/** Offsets of a guild's ids within its millisecond. */
const ID_OFFSETS = { guild: 0, adminRole: 1, botRole: 2, general: 3, gallery: 4, owner: 5 } as const;

export type Guilds = ReturnType<typeof createGuilds>;

export function createGuilds(seed: Pick<Seed, "createdMs" | "users" | "guilds">, records: MemberRecords) {
	const named = seed.guilds.map((guild): SimulatedGuild => ({
		...guild,
		get memberIds() {
			return records.memberIds(guild.id, guild.memberIds);
		},
	}));
	const [first] = named;
	const [firstUser] = seed.users;
	if (!first || !firstUser) throw new Error("the seed has no guilds or users");
	const base = first.id;
	const byId = new Map(named.map((guild) => [guild.id, guild]));
	const byChannel = new Map(named.flatMap((guild) => guild.channels.map(({ id }) => [id, guild] as const)));
	let unnamedCount = 0;

	/** Returns an id of the unnamed guild with this number, from 1. Each guild is a millisecond older than the one before. */
	const idOf = (number: number, nth: number): string => earlierSnowflake(base, named.length - 1 + number, nth);
	function numberOf(id: string): number | undefined {
		const byMs = earlierByMs(id, base);
		const number = byMs === undefined ? 0 : byMs - (named.length - 1);
		return number >= 1 && number <= unnamedCount ? number : undefined;
	}
	/** Rarely used fields are created on demand. */
	const guildAt = (number: number): SimulatedGuild => ({
		id: idOf(number, ID_OFFSETS.guild),
		name: `Server ${number}`,
		createdMs: seed.createdMs,
		roles: [],
		get adminRoleId() {
			return idOf(number, ID_OFFSETS.adminRole);
		},
		get botRoleId() {
			return idOf(number, ID_OFFSETS.botRole);
		},
		get channels() {
			return [
				{ id: idOf(number, ID_OFFSETS.general), name: "general", topic: "Try the commands here" },
				{ id: idOf(number, ID_OFFSETS.gallery), name: "gallery", topic: "For the ones worth keeping" },
			];
		},
		get memberIds() {
			return records.memberIds(idOf(number, ID_OFFSETS.guild), [idOf(number, ID_OFFSETS.owner), firstUser.id]);
		},
	});
	/** Returns the number of the unnamed guild of an id, if the id is one of the `nth` ids of that guild. */
	const numberIfId = (id: string, ...nth: readonly number[]): number | undefined => {
		const number = numberOf(id);
		return number !== undefined && nth.some((each) => idOf(number, each) === id) ? number : undefined;
	};

	function* all(from = 0): Generator<SimulatedGuild, undefined> {
		yield* named.slice(from);
		for (let number = Math.max(1, from - named.length + 1); number <= unnamedCount; number++) yield guildAt(number);
	}

	return {
		/** The guilds with a name of their own. */
		named,
		/** The guild of admin requests that name none. */
		first,
		/** The total number. */
		get count() {
			return named.length + unnamedCount;
		},
		/** Sets the total; named guilds always stay. */
		setCount: (count: number): void => void (unnamedCount = Math.max(0, count - named.length)),
		find(guildId: string): SimulatedGuild | undefined {
			const number = numberIfId(guildId, ID_OFFSETS.guild);
			return byId.get(guildId) ?? (number === undefined ? undefined : guildAt(number));
		},
		ofChannel(channelId: string): SimulatedGuild | undefined {
			const number = numberIfId(channelId, ID_OFFSETS.general, ID_OFFSETS.gallery);
			return byChannel.get(channelId) ?? (number === undefined ? undefined : guildAt(number));
		},
		/** Yields all guilds, the named ones first, created on demand. */
		all,
		/** Returns at most `guildsMax` guilds of this user. */
		ofUser(userId: string, guildsMax: number): readonly SimulatedGuild[] {
			const ownedNumber = numberIfId(userId, ID_OFFSETS.owner);
			if (ownedNumber !== undefined) return [guildAt(ownedNumber)];
			const found: SimulatedGuild[] = [];
			for (const guild of userId === firstUser.id ? all() : named) {
				if (found.length >= guildsMax) break;
				if (guild.memberIds.includes(userId)) found.push(guild);
			}
			return found;
		},
		countOfUser(userId: string): number {
			const byName = named.filter(({ memberIds }) => memberIds.includes(userId)).length;
			return (
				byName + (userId === firstUser.id ? unnamedCount : Number(numberIfId(userId, ID_OFFSETS.owner) !== undefined))
			);
		},
		/** Each unnamed guild has an owner of its own. */
		findOwner(userId: string): SeedUser | undefined {
			const number = numberIfId(userId, ID_OFFSETS.owner);
			if (number === undefined) return undefined;
			return { id: userId, username: `owner${number}`, displayName: `Owner ${number}` };
		},
	};
}

export function createInstalls(
	{ tables: { removals }, events }: Core,
	{ overrides, guilds, commands }: { overrides: Overrides; guilds: Guilds; commands: Commands },
) {
	const isInstalled = ({ id }: SimulatedGuild): boolean => removals.get(id) === undefined;
	const isMember = (guild: SimulatedGuild): boolean => isInstalled(guild) && overrides.isBotMember(guild);
	return {
		/** Returns whether the bot's commands are available in the guild. */
		isInstalled,
		/** Returns whether the bot itself is a member, not only its commands. */
		isMember,
		/** Sets the number of guilds; the bot joins the new ones and is told about the removed ones. */
		setCount(count: number): void {
			const before = guilds.count;
			const beyondCount = [...guilds.all(count)];
			guilds.setCount(count);
			const isGone = ({ id }: SimulatedGuild): boolean => guilds.find(id) === undefined;
			events.emit({ type: "guilds", added: [...guilds.all(before)], removed: beyondCount.filter(isGone) });
		},
		/** Also removes the commands of this guild. */
		remove(guild: SimulatedGuild): void {
			if (!isInstalled(guild)) return;
			const wasMember = isMember(guild);
			removals.set(guild.id, { id: guild.id });
			commands.removeGuild(guild.id);
			events.emit({ type: "bot", guild, wasMember, isMember: false });
		},
		add(guild: SimulatedGuild): void {
			if (isInstalled(guild)) return;
			removals.delete(guild.id);
			overrides.countReturn(guild);
			events.emit({ type: "bot", guild, wasMember: false, isMember: isMember(guild) });
		},
	};
}
