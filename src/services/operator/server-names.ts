/**
 * The names of servers, so that operators find them by name. `server-name:ID` has the last known name of a server.
 * `server-word:WORDS:ID` exists for each word of that name, with the words that follow: a search reads only the keys that
 * begin with the typed words. The names come from Discord's list of the bot's servers, which is read when an operator opens
 * the dashboard, at most once an hour.
 */
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import { readDocument } from "../read-document.ts";

const NAME_PREFIX = "server-name:";
const WORD_PREFIX = "server-word:";
const REFRESH_KEY = "server-names";
/** Enough to read the names of a few hundred servers. */
const REFRESH_WAIT_MS = 2_000;
/** A process that has not read all names after this time has crashed. */
const REFRESH_MS_MAX = 20 * 60 * 1000;
const REFRESH_EVERY_MS = 60 * 60 * 1000;
/** Keys of the store are shorter than 256 characters. */
const WORDS_CHARS_MAX = 100;
const WORDS_INDEXED_MAX = 10;
const NAMES_REMEMBERED_MAX = 10_000;

const nameSchema = z.object({ name: z.string() });
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
	/** The names that this process has seen in the store. */
	const storedNames = new LRUCache<string, string>({ max: NAMES_REMEMBERED_MAX });
	let refreshing: Promise<boolean> | undefined;

	const readName = async (guildId: string): Promise<string | undefined> =>
		(await readDocument(store, NAME_PREFIX + guildId, nameSchema)).value?.name;

	/** Writes the name last: after an earlier crash, the next refresh writes the words again. */
	async function record({ id, name }: NamedServer): Promise<void> {
		if (storedNames.get(id) === name) return;
		const before = await readName(id);
		if (before !== name) {
			const wordings = wordingsOf(name);
			const outdated = wordingsOf(before ?? "").filter((words) => !wordings.includes(words));
			for (const words of wordings) await store.set(wordKey(words, id), { name });
			for (const words of outdated) await store.delete(wordKey(words, id));
			await store.set(NAME_PREFIX + id, { name });
		}
		storedNames.set(id, name);
	}

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
				await record(server);
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
			const wanted = normalize(typed);
			const servers: NamedServer[] = [];
			let nextAfter: string | null = null;
			if (wanted === "") return { servers, nextAfter };
			const prefix = WORD_PREFIX + wanted;
			const start = after?.startsWith(wanted) === true ? WORD_PREFIX + after : undefined;
			for await (const { key, value } of store.scan(prefix, { after: start, onCorrupt: () => {} })) {
				const { data } = nameSchema.safeParse(value);
				const position = key.slice(WORD_PREFIX.length);
				const [words = "", id = ""] = position.split(":");
				if (!data || words !== firstMatch(data.name, wanted)) continue;
				if (servers.length === serversMax) return { servers, nextAfter };
				servers.push({ id, name: data.name });
				nextAfter = position;
			}
			return { servers, nextAfter: null };
		},
		async refresh() {
			refreshing ??= refreshAll().finally(() => (refreshing = undefined));
			const waiting = new AbortController();
			const timeout = clock.sleep(REFRESH_WAIT_MS, waiting.signal).then(
				() => false,
				() => false,
			);
			try {
				return await Promise.race([refreshing, timeout]);
			} finally {
				waiting.abort();
			}
		},
	};
}

/** A server with several matching words is found once, by the first of them. */
function firstMatch(name: string, wanted: string): string | undefined {
	return wordingsOf(name).find((words) => words.startsWith(wanted));
}

function wordKey(words: string, id: string): string {
	return `${WORD_PREFIX}${words}:${id}`;
}

/** Returns each word of a name with the words that follow it: `my big server`, `big server` and `server`. */
function wordingsOf(name: string): readonly string[] {
	const words = normalize(name).split(" ").filter(Boolean);
	const wordings = words.slice(0, WORDS_INDEXED_MAX).map((_, index) => words.slice(index).join(" "));
	return [...new Set(wordings)];
}

/** Returns the words of a text in lower case, with spaces between them, also for languages that are written without spaces. */
function normalize(text: string): string {
	const plain = text
		.normalize("NFKC")
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ");
	const segments = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(plain)];
	const words = segments.flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
	return words.join(" ").slice(0, WORDS_CHARS_MAX).trim().toWellFormed();
}
