/**
 * The names of servers, so that operators find them by name. `server-name:ID` has the last known name of a server. The names come
 * from Discord's list of the bot's servers, which is read when an operator opens the dashboard, at most once an hour.
 */
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import type { Store } from "@atelier/store/store";
import { readDocument, scanDocuments } from "../read-document.ts";

const NAME_PREFIX = "server-name:";
const REFRESH_KEY = "server-names";
/** Enough to read the names of a few hundred servers. */
const REFRESH_WAIT_MS = 2_000;
/** A process that has not read all names after this time has crashed. */
const REFRESH_MS_MAX = 20 * 60 * 1000;
const REFRESH_EVERY_MS = 60 * 60 * 1000;
/** Before the id of the last server of a page, so that it differs from a position in a list by id. */
const POSITION_PREFIX = "name:";

/** `words`: the words of the name, as `wordsOf` returns them. */
const nameSchema = z.object({ name: z.string(), words: z.string() });
const refreshSchema = z.object({ atMs: z.number(), isDone: z.boolean() });

export interface NamedServer {
	readonly id: string;
	readonly name: string;
}

interface NamesQuery {
	/** Words of the name, in a row; the last word may be incomplete. */
	readonly typed: string;
	/** Only servers after this position. */
	readonly after?: string | undefined;
	readonly serversMax: number;
}

interface NamesPage {
	readonly servers: readonly NamedServer[];
	/** `after` of the next page; `null` at the end. */
	readonly nextAfter: string | null;
}

export interface ServerNames {
	/** Resolves to the last known name; `undefined` if it was never read. */
	read(guildId: string): Promise<string | undefined>;
	search(query: NamesQuery): Promise<NamesPage>;
	/**
	 * Reads all names from Discord, unless a process of the bot did so in the last hour. Resolves to true when they are
	 * read, and to false after a short wait: the names of a large bot take minutes, because Discord limits the reads.
	 * Resolves to false also while another process reads them, and after a failure.
	 */
	refresh(): Promise<boolean>;
}

interface ServerNamesDeps {
	readonly store: Store;
	/** Yields all servers of the bot. */
	readonly listServers: () => AsyncIterable<NamedServer>;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createServerNames({ store, listServers, clock, logger }: ServerNamesDeps): ServerNames {
	let refreshing: Promise<boolean> | undefined;

	const readName = async (guildId: string): Promise<string | undefined> =>
		(await readDocument(store, NAME_PREFIX + guildId, nameSchema)).value?.name;

	/** Resolves to false while another process reads the names, and if they could not be read. */
	async function refreshAll(): Promise<boolean> {
		try {
			const { value, raw } = await readDocument(store, REFRESH_KEY, refreshSchema);
			const freshMs = value?.isDone === true ? REFRESH_EVERY_MS : REFRESH_MS_MAX;
			if (value && Math.abs(clock.nowMs() - value.atMs) < freshMs) return value.isDone;
			const claim = { atMs: clock.nowMs(), isDone: false };
			const claimed = await store.compareAndSet(REFRESH_KEY, raw, claim);
			if (claimed === undefined) return false;
			let servers = 0;
			for await (const server of listServers()) {
				if ((await readName(server.id)) !== server.name) await store.set(NAME_PREFIX + server.id, documentOf(server));
				servers++;
			}
			await store.compareAndSet(REFRESH_KEY, claimed, { ...claim, isDone: true });
			logger.info({ servers }, "names of servers read");
			return true;
		} catch (error) {
			logger.warn({ err: error }, "names of servers not read");
			// The next visit reads again.
			await store.delete(REFRESH_KEY).catch(() => {});
			return false;
		}
	}

	return {
		read: readName,
		async search({ typed, after, serversMax }) {
			const wanted = wordsOf(typed);
			const servers: NamedServer[] = [];
			if (wanted === "") return { servers, nextAfter: null };
			const start = after === undefined ? undefined : NAME_PREFIX + after.slice(POSITION_PREFIX.length);
			for await (const { key, value } of scanDocuments(store, NAME_PREFIX, nameSchema, start)) {
				if (!` ${value.words}`.includes(` ${wanted}`)) continue;
				const last = servers.at(-1);
				if (last && servers.length === serversMax) return { servers, nextAfter: POSITION_PREFIX + last.id };
				servers.push({ id: key.slice(NAME_PREFIX.length), name: value.name });
			}
			return { servers, nextAfter: null };
		},
		async refresh() {
			refreshing ??= refreshAll().finally(() => (refreshing = undefined));
			return (await waitAtMost(clock, REFRESH_WAIT_MS, refreshing)) ?? false;
		},
	};
}

function documentOf({ name }: NamedServer): z.infer<typeof nameSchema> {
	return { name, words: wordsOf(name) };
}

/** Returns the words of a text in lower case, with spaces between them, also for languages that are written without spaces. */
function wordsOf(text: string): string {
	const plain = text
		.normalize("NFKC")
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ");
	const segments = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(plain)];
	return segments.flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : [])).join(" ");
}
