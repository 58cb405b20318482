/**
 * API keys of servers. `api-keys:GUILD` lists the keys of a server with their hashes; a key itself is shown once and never
 * stored. A key belongs to one stay of the bot in the server: it is invalid while the bot is away, and after its return.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { storedObject } from "@atelier/store/stored-object";
import type { Store } from "@atelier/store/store";
import type { SettingsAuthor } from "../access/change-author.ts";
import type { GuildDirectory } from "../access/guild-directory.ts";
import { readDocument, scanDocuments } from "../read-document.ts";
import { UserError } from "../user-error.ts";
import type { SettingsStore } from "./settings-store.ts";

const DOCUMENT_PREFIX = "api-keys:";
const API_KEY_PREFIX = "atelier_";
const API_KEYS_MAX = 20;
const KEY_BYTES = 32;
const ID_CHARS = 16;
/** The characters after the prefix that the list shows. */
const SHOWN_CHARS = 6;
/** The time of the last use is stored at most this often. */
const USE_STORED_EVERY_MS = 60_000;
/** The field of the settings audit. */
const AUDIT_PATH = "apiKeys";

const storedKey = storedObject({
	id: z.string(),
	/** Unique in the server, because audits identify a key by its name. */
	name: z.string(),
	/** The first characters of the key, to recognize it. */
	prefix: z.string(),
	sha256: z.string(),
	byUserId: z.string(),
	createdAtMs: z.int(),
	/** The time at which the bot joined the server, as Discord writes it. */
	botJoinedAt: z.string(),
});
type StoredKey = z.infer<typeof storedKey>;
const documentSchema = storedObject({ keys: z.array(storedKey) });

interface ApiKey extends Omit<StoredKey, "sha256" | "botJoinedAt"> {
	/** Up to a minute earlier than the last use; `null` before the first use. */
	readonly lastUsedAtMs: number | null;
}

export type MatchedKey = Pick<StoredKey, "id" | "name" | "botJoinedAt">;

interface NewApiKey {
	readonly name: string;
	readonly byUserId: string;
}

interface ApiKeysDeps {
	readonly store: Store;
	readonly settings: Pick<SettingsStore, "recordChange">;
	readonly directory: Pick<GuildDirectory, "readBotJoin">;
	readonly clock: Clock;
	readonly randomBytes: (size: number) => Uint8Array;
}

export function createApiKeys({ store, settings, directory, clock, randomBytes }: ApiKeysDeps) {
	async function read(guildId: string) {
		const { value, raw } = await readDocument(store, keyOf(guildId), documentSchema);
		return { keys: value?.keys ?? [], raw };
	}

	/** Reads the keys that were created since the bot last joined the server, and the outdated ones, which `create` removes. */
	async function readValid(guildId: string, botJoinedAt: string | undefined) {
		const { keys, raw } = await read(guildId);
		const isValid = (each: StoredKey): boolean => each.botJoinedAt === botJoinedAt;
		return { keys: keys.filter(isValid), outdated: keys.filter((each) => !isValid(each)), raw };
	}

	async function readUse(guildId: string, id: string): Promise<number | undefined> {
		return (await store.get<{ readonly atMs: number }>(useKeyOf(guildId, id)))?.value.atMs;
	}

	async function recordUse(guildId: string, id: string): Promise<void> {
		const nowMs = clock.nowMs();
		const useKey = useKeyOf(guildId, id);
		if (Math.abs(nowMs - ((await readUse(guildId, id)) ?? 0)) < USE_STORED_EVERY_MS) return;
		await store.set(useKey, { atMs: nowMs });
	}

	return {
		/** Resolves to the key, which is not shown again. Throws a `UserError` for a name that another key has, and for too many keys. */
		async create(guildId: string, { name, byUserId }: NewApiKey, author: SettingsAuthor) {
			const botJoinedAt = await directory.readBotJoin(guildId);
			if (botJoinedAt === undefined) throw new UserError({ key: "web.notAMember" });
			const key = API_KEY_PREFIX + Buffer.from(randomBytes(KEY_BYTES)).toString("base64url");
			const sha256 = sha256Of(key);
			const id = sha256.slice(0, ID_CHARS);
			const prefix = key.slice(0, API_KEY_PREFIX.length + SHOWN_CHARS);
			const created = { id, name, prefix, sha256, byUserId, createdAtMs: clock.nowMs(), botJoinedAt };
			const propose = async () => {
				const { keys, outdated, raw } = await readValid(guildId, botJoinedAt);
				if (keys.length >= API_KEYS_MAX)
					throw new UserError({ key: "web.apiKeysFull", params: { keysMax: API_KEYS_MAX } });
				if (keys.some((each) => each.name === name)) throw new UserError({ key: "web.apiKeyNameTaken" });
				// Before the change: a failure after it would lose the new key, which is shown once.
				for (const each of outdated) await store.delete(useKeyOf(guildId, each.id));
				const next = { keys: [...keys, created] };
				return {
					changes: [{ path: AUDIT_PATH, before: [], after: [name] }],
					documents: [{ key: keyOf(guildId), expectedRaw: raw, next }],
				};
			};
			await settings.recordChange(guildId, propose, author);
			return { key, id };
		},
		/** Newest first. */
		async list(guildId: string): Promise<readonly ApiKey[]> {
			const { keys } = await readValid(guildId, await directory.readBotJoin(guildId));
			const listed = keys.map(async ({ id, name, prefix, byUserId, createdAtMs }) => ({
				id,
				name,
				prefix,
				byUserId,
				createdAtMs,
				lastUsedAtMs: (await readUse(guildId, id)) ?? null,
			}));
			return (await Promise.all(listed)).toSorted((one, other) => other.createdAtMs - one.createdAtMs);
		},
		/** Revokes a key at once. Does nothing if no key has this id. */
		async revoke(guildId: string, id: string, author: SettingsAuthor): Promise<void> {
			const propose = async () => {
				const { keys, raw } = await read(guildId);
				const revoked = keys.find((each) => each.id === id);
				if (!revoked) return undefined;
				const next = { keys: keys.filter((each) => each !== revoked) };
				return {
					changes: [{ path: AUDIT_PATH, before: [revoked.name], after: [] }],
					documents: [{ key: keyOf(guildId), expectedRaw: raw, next }],
				};
			};
			await settings.recordChange(guildId, propose, author);
			await store.delete(useKeyOf(guildId, id));
		},
		/** Resolves to a stored key, without a check that the bot is still in the server; `undefined` for any other text. */
		async match(guildId: string, key: string): Promise<MatchedKey | undefined> {
			if (!key.startsWith(API_KEY_PREFIX)) return undefined;
			const sha256 = sha256Of(key);
			return (await read(guildId)).keys.find((each) => isSameSecret(each.sha256, sha256));
		},
		/** Records the use of a key. Resolves to `false` if the bot has left the server since its creation. */
		async use(guildId: string, { id, botJoinedAt }: MatchedKey): Promise<boolean> {
			if (botJoinedAt !== (await directory.readBotJoin(guildId))) return false;
			await recordUse(guildId, id);
			return true;
		},
	};
}

/** Yields the stored keys of all servers. */
export async function* scanApiKeys(store: Pick<Store, "scan">) {
	for await (const { key, value } of scanDocuments(store, DOCUMENT_PREFIX, documentSchema)) {
		const guildId = key.slice(DOCUMENT_PREFIX.length);
		for (const { name, prefix, createdAtMs } of value.keys) yield { guildId, name, prefix, createdAtMs };
	}
}

function keyOf(guildId: string): string {
	return DOCUMENT_PREFIX + guildId;
}

function useKeyOf(guildId: string, id: string): string {
	return `api-key-use:${guildId}:${id}`;
}

function sha256Of(key: string): string {
	return createHash("sha256").update(key).digest("hex");
}
