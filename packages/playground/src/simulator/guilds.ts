/**
 * The guilds: the named ones of the seed, and any number of further ones that are alike. Unchanged ones are not stored:
 * each is derived from its number, which its ids contain.
 */
import type { Table } from "../document-store.ts";
import type { Commands } from "./commands.ts";
import { earlier, earlierByMs } from "./discord-values.ts";
import type { SimulatorEvents } from "./events.ts";
import type { Overrides } from "./overrides.ts";
import type { Seed, SeedGuild, SeedUser } from "./seed.ts";

export const GUILDS_MAX = 100_000;
/** Offsets of a guild's ids within its millisecond. */
const NTH = { guild: 0, adminRole: 1, botRole: 2, general: 3, gallery: 4, owner: 5 } as const;

export interface Guilds {
	/** The guild of users who name none. */
	readonly first: SeedGuild;
	/** The total number. */
	readonly count: number;
	/** Sets the total; named guilds always stay. */
	readonly setCount: (count: number) => void;
	readonly find: (serverId: string) => SeedGuild | undefined;
	readonly ofChannel: (channelId: string) => SeedGuild | undefined;
	/** Yields all guilds, the named ones first, created on demand. */
	readonly all: (from?: number) => IteratorObject<SeedGuild>;
	/** Returns at most `most` guilds of this user. */
	readonly ofUser: (userId: string, most: number) => readonly SeedGuild[];
	/** Returns the number of this user's guilds. */
	readonly countOfUser: (userId: string) => number;
	/** Each unnamed guild has an owner of its own. */
	readonly findOwner: (userId: string) => SeedUser | undefined;
}

export function createGuilds(seed: Pick<Seed, "createdMs" | "users" | "guilds">): Guilds {
	const named = seed.guilds;
	const [first] = named;
	const [you] = seed.users;
	if (!first || !you) throw new Error("the seed has no guilds or users");
	const base = first.id;
	const byId = new Map(named.map((guild) => [guild.id, guild]));
	const byChannel = new Map(named.flatMap((guild) => guild.channels.map(({ id }) => [id, guild] as const)));
	let unnamed = 0;

	/** Numbered from 1 after the named ones, each a millisecond earlier. */
	const idOf = (number: number, nth: number): string => earlier(base, named.length - 1 + number, nth);
	function numberOf(id: string): number | undefined {
		const byMs = earlierByMs(id, base);
		const number = byMs === undefined ? 0 : byMs - (named.length - 1);
		return number >= 1 && number <= unnamed ? number : undefined;
	}
	/** Rarely used fields are created on demand. */
	const guildAt = (number: number): SeedGuild => ({
		id: idOf(number, NTH.guild),
		name: `Server ${number}`,
		createdMs: seed.createdMs,
		roles: [],
		get adminRoleId() {
			return idOf(number, NTH.adminRole);
		},
		get botRoleId() {
			return idOf(number, NTH.botRole);
		},
		get channels() {
			return [
				{ id: idOf(number, NTH.general), name: "general", topic: "Try the commands here" },
				{ id: idOf(number, NTH.gallery), name: "gallery", topic: "For the ones worth keeping" },
			];
		},
		get memberIds() {
			return [idOf(number, NTH.owner), you.id];
		},
	});
	/** Returns the number of an id, if it is one of `nth`. */
	const numberIfId = (id: string, ...nth: readonly number[]): number | undefined => {
		const number = numberOf(id);
		return number !== undefined && nth.some((each) => idOf(number, each) === id) ? number : undefined;
	};

	function* all(from = 0): Generator<SeedGuild, undefined> {
		yield* named.slice(from);
		for (let number = Math.max(1, from - named.length + 1); number <= unnamed; number++) yield guildAt(number);
	}

	return {
		first,
		get count() {
			return named.length + unnamed;
		},
		setCount: (count) => void (unnamed = Math.max(0, count - named.length)),
		find(serverId) {
			const number = numberIfId(serverId, NTH.guild);
			return byId.get(serverId) ?? (number === undefined ? undefined : guildAt(number));
		},
		ofChannel(channelId) {
			const number = numberIfId(channelId, NTH.general, NTH.gallery);
			return byChannel.get(channelId) ?? (number === undefined ? undefined : guildAt(number));
		},
		all,
		ofUser(userId, most) {
			const owned = numberIfId(userId, NTH.owner);
			if (owned !== undefined) return [guildAt(owned)];
			const found: SeedGuild[] = [];
			for (const guild of userId === you.id ? all() : named) {
				if (found.length >= most) break;
				if (guild.memberIds.includes(userId)) found.push(guild);
			}
			return found;
		},
		countOfUser(userId) {
			const byName = named.filter(({ memberIds }) => memberIds.includes(userId)).length;
			return byName + (userId === you.id ? unnamed : Number(numberIfId(userId, NTH.owner) !== undefined));
		},
		findOwner(userId) {
			const number = numberIfId(userId, NTH.owner);
			if (number === undefined) return undefined;
			return { id: userId, username: `owner${number}`, displayName: `Owner ${number}` };
		},
	};
}

/** A guild without the bot. */
export interface Removal {
	readonly id: string;
}

export interface Installs {
	/** Returns whether its commands are available there. */
	readonly isInstalled: (guild: SeedGuild) => boolean;
	/** Returns whether the bot itself is a member, not only its commands. */
	readonly isMember: (guild: SeedGuild) => boolean;
	/** Also removes the commands of this guild. */
	readonly remove: (guild: SeedGuild) => void;
	readonly add: (guild: SeedGuild) => void;
	/** Sets the number of guilds; the bot joins the new ones and is told about the removed ones. */
	readonly setCount: (count: number) => void;
}

export function createInstalls(deps: {
	removals: Table<Removal>;
	overrides: Pick<Overrides, "isBotMember">;
	guilds: Guilds;
	commands: Pick<Commands, "removeGuild">;
	events: SimulatorEvents;
}): Installs {
	const { removals, overrides, guilds, commands, events } = deps;
	const isInstalled = ({ id }: SeedGuild): boolean => removals.get(id) === undefined;
	const isMember = (guild: SeedGuild): boolean => isInstalled(guild) && overrides.isBotMember(guild);
	return {
		isInstalled,
		isMember,
		setCount(count) {
			const before = guilds.count;
			const gone = [...guilds.all(count)];
			guilds.setCount(count);
			const isGone = ({ id }: SeedGuild): boolean => guilds.find(id) === undefined;
			events.emit({ type: "guilds", added: [...guilds.all(before)], removed: gone.filter(isGone) });
		},
		remove(guild) {
			if (!isInstalled(guild)) return;
			const wasMember = isMember(guild);
			removals.set(guild.id, { id: guild.id });
			commands.removeGuild(guild.id);
			events.emit({ type: "bot", guild, wasMember, isMember: false });
		},
		add(guild) {
			if (isInstalled(guild)) return;
			removals.delete(guild.id);
			events.emit({ type: "bot", guild, wasMember: false, isMember: isMember(guild) });
		},
	};
}
