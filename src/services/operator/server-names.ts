/**
 * The names of the bot's servers, so that operators find them by name. They come from Discord's list of the servers, which is read
 * when an operator opens the dashboard, at most once an hour.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";

/** Enough to read the names of a few hundred servers. */
const REFRESH_WAIT_MS = 2_000;
const REFRESH_EVERY_MS = 60 * 60 * 1000;
/** The id of the last server of a page. The prefix sets it apart from a position in a list by id. */
const POSITION = /^name:(\d{1,20})$/;

interface NamedServer {
	readonly id: string;
	readonly name: string;
}

interface NamesQuery {
	/** A part of the name, or the first digits of the id. */
	readonly typed: string;
	/** `nextAfter` of the page before. */
	readonly after?: string | undefined;
	readonly serversMax: number;
}

interface NamesPage {
	readonly guildIds: readonly string[];
	/** `after` of the next page; `null` at the end. */
	readonly nextAfter: string | null;
}

export type ServerNames = ReturnType<typeof createServerNames>;

interface ServerNamesDeps {
	/** Yields all servers of the bot. */
	readonly listServers: () => AsyncIterable<NamedServer>;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createServerNames({ listServers, clock, logger }: ServerNamesDeps) {
	let servers = new Map<string, NamedServer & { readonly comparable: string }>();
	let readAtMs: number | undefined;
	let refreshing: Promise<boolean> | undefined;

	async function readAll(): Promise<boolean> {
		const read: typeof servers = new Map();
		try {
			for await (const { id, name } of listServers()) {
				const server = { id, name, comparable: comparableOf(name) };
				read.set(id, server);
				// Until all names were read once, a search finds those that have been read so far.
				if (readAtMs === undefined) servers.set(id, server);
			}
		} catch (error) {
			logger.warn({ err: error }, "names of servers not read");
			return false;
		}
		servers = read;
		readAtMs = clock.nowMs();
		logger.info({ servers: servers.size }, "names of servers read");
		return true;
	}

	return {
		/** Returns the name, if it has been read. */
		nameOf: (guildId: string) => servers.get(guildId)?.name,
		search({ typed, after, serversMax }: NamesQuery): NamesPage {
			const wanted = comparableOf(typed);
			// The bot may have left the server of the position.
			const afterId = BigInt(POSITION.exec(after ?? "")?.[1] ?? 0);
			const found = [...servers.values()]
				.filter(({ id, comparable }) => comparable.includes(wanted) || id.startsWith(wanted))
				.filter(({ id }) => BigInt(id) > afterId)
				.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
			const guildIds = found.slice(0, serversMax).map(({ id }) => id);
			const isLast = found.length <= serversMax;
			return { guildIds, nextAfter: isLast ? null : `name:${guildIds.at(-1)}` };
		},
		/**
		 * Reads all names from Discord, unless they were read in the last hour. Resolves to true when they are read, and to false after a
		 * short wait, because the names of a large bot take minutes: Discord limits the reads. Resolves to false also after a failure.
		 */
		async refresh(): Promise<boolean> {
			if (readAtMs !== undefined && Math.abs(clock.nowMs() - readAtMs) < REFRESH_EVERY_MS) return true;
			refreshing ??= readAll().finally(() => (refreshing = undefined));
			return (await waitAtMost(clock, REFRESH_WAIT_MS, refreshing)) ?? false;
		},
	};
}

function comparableOf(text: string): string {
	return text.normalize("NFKC").toLowerCase();
}
