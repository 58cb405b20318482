/**
 * The servers there are: the seeded ones by name, and as many more as somebody asks for, all alike. What of those is not
 * changed is kept nowhere: each is made out of its number, which its ids tell, whenever somebody looks at it.
 */
import type { Seed, SeedMember, SeedServer } from "./seed.ts";
import { earlier, earlierByMs } from "./snowflake.ts";

export const SERVERS_MAX = 100_000;
/** The ids of one server, in its millisecond. */
const NTH = { server: 0, adminRole: 1, botRole: 2, general: 3, gallery: 4, owner: 5 } as const;

export interface Servers {
	/** Where those are who say nothing of a server. */
	readonly first: SeedServer;
	/** In all. */
	readonly count: number;
	/** The named ones stay, however few are asked for. */
	readonly setCount: (count: number) => void;
	readonly find: (serverId: string) => SeedServer | undefined;
	readonly ofChannel: (channelId: string) => SeedServer | undefined;
	/** Every one, the named ones first, each made as it is come to. */
	readonly all: (from?: number) => IteratorObject<SeedServer>;
	/** At most so many that this person is a member of. */
	readonly of: (userId: string, most: number) => readonly SeedServer[];
	/** How many this person is a member of. */
	readonly countOf: (userId: string) => number;
	/** Each of the unnamed servers has an owner of its own. */
	readonly owner: (userId: string) => SeedMember | undefined;
}

export function createServers(seed: Pick<Seed, "createdMs" | "people" | "servers">): Servers {
	const named = seed.servers;
	const [first] = named;
	const [you] = seed.people;
	if (!first || !you) throw new Error("a playground without servers or people");
	const base = first.id;
	const byId = new Map(named.map((server) => [server.id, server]));
	const byChannel = new Map(named.flatMap((server) => server.channels.map(({ id }) => [id, server] as const)));
	let unnamed = 0;

	/** Numbered from one, above the named ones, each a millisecond before the last. */
	const idOf = (number: number, nth: number): string => earlier(base, named.length - 1 + number, nth);
	function numberOf(id: string): number | undefined {
		const byMs = earlierByMs(id, base);
		const number = byMs === undefined ? 0 : byMs - (named.length - 1);
		return number >= 1 && number <= unnamed ? number : undefined;
	}
	/** What most who go through all of them do not ask for is made when it is asked for. */
	const made = (number: number): SeedServer => ({
		id: idOf(number, NTH.server),
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
	/** What has this id, if it is one of `nth`. */
	const numbered = (id: string, ...nth: readonly number[]): number | undefined => {
		const number = numberOf(id);
		return number !== undefined && nth.some((each) => idOf(number, each) === id) ? number : undefined;
	};

	function* all(from = 0): Generator<SeedServer, undefined> {
		yield* named.slice(from);
		for (let number = Math.max(1, from - named.length + 1); number <= unnamed; number++) yield made(number);
	}

	return {
		first,
		get count() {
			return named.length + unnamed;
		},
		setCount: (count) => void (unnamed = Math.max(0, count - named.length)),
		find(serverId) {
			const number = numbered(serverId, NTH.server);
			return byId.get(serverId) ?? (number === undefined ? undefined : made(number));
		},
		ofChannel(channelId) {
			const number = numbered(channelId, NTH.general, NTH.gallery);
			return byChannel.get(channelId) ?? (number === undefined ? undefined : made(number));
		},
		all,
		of(userId, most) {
			const owned = numbered(userId, NTH.owner);
			if (owned !== undefined) return [made(owned)];
			const found: SeedServer[] = [];
			for (const server of userId === you.id ? all() : named) {
				if (found.length >= most) break;
				if (server.memberIds.includes(userId)) found.push(server);
			}
			return found;
		},
		countOf(userId) {
			const byName = named.filter(({ memberIds }) => memberIds.includes(userId)).length;
			return byName + (userId === you.id ? unnamed : Number(numbered(userId, NTH.owner) !== undefined));
		},
		owner(userId) {
			const number = numbered(userId, NTH.owner);
			if (number === undefined) return undefined;
			return { id: userId, username: `owner${number}`, displayName: `Owner ${number}` };
		},
	};
}
