import { z } from "zod";
import { changedPaths, valueAt, withoutItems } from "@atelier/dashboard/setting-paths";
import type { Clock } from "@atelier/common/clock";
import { retryChange } from "@atelier/store/retry-change";
import type { DocumentChange, Store } from "@atelier/store/store";
import { SURFACES } from "@atelier/dashboard/schemas/settings";
import type { SettingsAuthor, Surface } from "../access/change-author.ts";
import { createReadCache } from "../read-cache.ts";
import { parseDocument, readDocument, scanDocuments } from "../read-document.ts";
import { storedSettingsSchema, type GuildSettings } from "./guild-settings.ts";

const READ_AGAIN_AFTER_MS = 1_000;
const CACHED_GUILDS_MAX = 1_000;
/** Above every revision. A key contains the difference, so that the newest change comes first in key order. */
const REVISION_CEILING = 10 ** 12;

/** Older changes are removed. */
const CHANGES_KEPT = 1_000;
/** A larger record names the fields only: a file of settings can replace a megabyte, many times a minute. */
const RECORD_BYTES_MAX = 64 * 1024;

/** Takes the stored settings and returns the new ones, or throws a denial. */
export type SettingsUpdate = (before: GuildSettings) => GuildSettings;

/** The record of one change of a server's settings. */
export interface ChangeRecord {
	/** Starts at 1, without gaps. The newest thousand are kept. */
	readonly revision: number;
	readonly atMs: number;
	/** `member:ID`, `key:NAME` or `operator`. */
	readonly by: string;
	readonly via: Surface;
	readonly changes: readonly FieldChange[];
}

const changeRecordSchema = z.object({
	revision: z.int().min(1),
	atMs: z.number(),
	by: z.string(),
	via: z.enum(SURFACES),
	changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
});

const envelopeSchema = z.looseObject({ revision: z.int().min(0).default(0) });

/** The settings changed since the revision that a change is based on. Nothing was written. */
export class SettingsConflictError extends Error {
	override readonly name = "SettingsConflictError";

	constructor(guildId: string) {
		super(`the settings of ${guildId} have another revision`);
	}
}

/** Settings with the number of their changes. */
export interface SettingsRevision {
	readonly settings: GuildSettings;
	readonly revision: number;
}

/** The settings after a change, with what it changed; empty if they had the new values before. */
export interface ChangedSettings extends SettingsRevision {
	readonly changes: readonly FieldChange[];
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** A change of documents that belong to the settings, such as API keys. */
interface ProposedChange {
	readonly changes: readonly FieldChange[];
	readonly documents: readonly DocumentChange[];
}

interface SettingsStoreDeps {
	readonly clock: Clock;
	/** Called after each change. Must not throw. */
	readonly onChange?: (guildId: string, record: ChangeRecord, before: GuildSettings, after: GuildSettings) => void;
}

interface Loaded extends SettingsRevision {
	readonly raw: string | undefined;
}

export const SETTINGS_PREFIX = "settings:";

/** Stores one document per server, and its change records. A change is written in one transaction with its record. */
export function createSettingsStore(store: Store, { clock, onChange }: SettingsStoreDeps) {
	const recent = createReadCache<GuildSettings>({
		clock,
		// lru-cache keeps an entry up to and including its ttl.
		ttlMs: READ_AGAIN_AFTER_MS - 1,
		entriesMax: CACHED_GUILDS_MAX,
	});

	async function load(guildId: string): Promise<Loaded> {
		const key = SETTINGS_PREFIX + guildId;
		const { value = envelopeSchema.parse({}), raw } = await readDocument(store, key, envelopeSchema);
		const { revision, ...fields } = value;
		return { settings: parseDocument(key, fields, storedSettingsSchema), revision, raw };
	}

	/** Writes the next revision with the record of its change. Resolves to `conflict` if another change came first. */
	async function writeRevision(
		guildId: string,
		{ settings: before, revision: beforeRevision, raw }: Loaded,
		{ settings, changes, documents }: ProposedChange & { readonly settings: GuildSettings },
		author: SettingsAuthor,
	): Promise<ChangedSettings | "conflict"> {
		const revision = beforeRevision + 1;
		const record = boundedRecord({ revision, atMs: clock.nowMs(), ...author, changes });
		const next = { ...settings, revision };
		const settingsDocument = { key: SETTINGS_PREFIX + guildId, expectedRaw: raw, next };
		const recordWrites = [{ key: changeKey(guildId, revision), value: record as unknown }];
		if (revision > CHANGES_KEPT)
			recordWrites.push({ key: changeKey(guildId, revision - CHANGES_KEPT), value: undefined });
		if ((await store.compareAndSetAll([settingsDocument, ...documents], recordWrites)) === undefined) return "conflict";
		recent.forget(guildId);
		onChange?.(guildId, record, before, settings);
		return { settings, revision, changes };
	}

	return {
		/** Returns the settings as they were at most a second ago: one command reads them several times. */
		read: (guildId: string): Promise<GuildSettings> => recent(guildId, async () => (await load(guildId)).settings),
		async readRevision(guildId: string): Promise<SettingsRevision> {
			const { settings, revision } = await load(guildId);
			return { settings, revision };
		},
		/**
		 * Applies `update` to the current settings. `update` runs again after a concurrent change. With a `revision`, throws
		 * `SettingsConflictError` if there is a later one.
		 */
		change: (
			guildId: string,
			update: SettingsUpdate,
			author: SettingsAuthor,
			revision?: number,
		): Promise<ChangedSettings> =>
			retryChange(`the settings of ${guildId}`, async () => {
				const loaded = await load(guildId);
				if (revision !== undefined && revision !== loaded.revision) throw new SettingsConflictError(guildId);
				const settings = storedSettingsSchema.parse(update(loaded.settings));
				const changes = diffSettings(loaded.settings, settings);
				if (changes.length === 0) return { settings: loaded.settings, revision: loaded.revision, changes };
				return await writeRevision(guildId, loaded, { settings, changes, documents: [] }, author);
			}),
		/**
		 * Records a change of documents beside the settings, in one transaction with them. `propose` runs again if a concurrent
		 * change came first; it resolves to `undefined` if there is nothing to change.
		 */
		async recordChange(
			guildId: string,
			propose: () => Promise<ProposedChange | undefined>,
			author: SettingsAuthor,
		): Promise<void> {
			await retryChange(`the settings of ${guildId}`, async () => {
				const loaded = await load(guildId);
				const proposed = await propose();
				return proposed && (await writeRevision(guildId, loaded, { settings: loaded.settings, ...proposed }, author));
			});
		},
		/** Yields the readable recorded changes, newest first, optionally those before a revision. */
		async *changes(guildId: string, beforeRevision?: number): AsyncGenerator<ChangeRecord> {
			const after = beforeRevision === undefined ? undefined : changeKey(guildId, beforeRevision);
			for await (const { value } of scanDocuments(store, changePrefix(guildId), changeRecordSchema, after)) yield value;
		},
	};
}

function boundedRecord(record: ChangeRecord): ChangeRecord {
	if (Buffer.byteLength(JSON.stringify(record)) <= RECORD_BYTES_MAX) return record;
	return { ...record, changes: record.changes.map(({ path }) => ({ path })) };
}

function changePrefix(guildId: string): string {
	return `settings-change:${guildId}:`;
}

function changeKey(guildId: string, revision: number): string {
	return changePrefix(guildId) + String(REVISION_CEILING - revision).padStart(13, "0");
}

/** One changed field; for a list, the removed and the added items. */
export interface FieldChange {
	/** The path as in exported settings, such as `access.channels.allowed`. */
	readonly path: string;
	/** Absent for a new field. Both values are absent in a record that would be too large. */
	readonly before?: unknown;
	readonly after?: unknown;
}

/** Returns the fields that differ. */
export function diffSettings(before: unknown, after: unknown): readonly FieldChange[] {
	return changedPaths(before, after).map((path) => {
		const [oldValue, newValue] = [valueAt(before, path), valueAt(after, path)];
		if (Array.isArray(oldValue) && Array.isArray(newValue))
			return {
				path: path.join("."),
				before: withoutItems(oldValue, newValue),
				after: withoutItems(newValue, oldValue),
			};
		return {
			path: path.join("."),
			...(oldValue !== undefined && { before: oldValue }),
			...(newValue !== undefined && { after: newValue }),
		};
	});
}
