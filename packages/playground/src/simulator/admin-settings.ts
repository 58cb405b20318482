/** The settings of the admin API: pure state, in memory only. */
import { Locale } from "discord-api-types/v10";
import type { Overwrite } from "./permissions.ts";
import type { Guild } from "./documents.ts";

export type BoostLevel = 0 | 1 | 2 | 3;

const MIB = 1024 * 1024;
/** Discord's limit for a whole request with files. */
export const REQUEST_BYTES_MAX = 25 * MIB;
/** The limit beyond any boost level. */
export const REQUEST_BYTES_CEILING = 128 * MIB;
const HEARTBEAT_INTERVAL_MS = 41_250;
/** The file limit by boost level: Discord's default since January 2025, then per level. */
const BOOST_FILE_BYTES_MAX = [10 * MIB, 10 * MIB, 50 * MIB, 100 * MIB] as const;

export interface FileLimits {
	/** The enforced limit per file. */
	readonly bytesMax: number;
	/** The limit per file in interactions; Discord has been seen to announce more than it enforces. */
	readonly announcedBytesMax: number;
	/** The limit per request with files. */
	readonly requestBytesMax: number;
}

/**
 * Settings of a guild; missing fields have their defaults.
 *
 * @public Declarations of the published package name it.
 */
export interface GuildSettings {
	readonly boostLevel?: BoostLevel | undefined;
	readonly locale?: string | undefined;
	/** True if the bot itself is in the guild, not only its commands. */
	readonly isBotMember?: boolean;
	/** Changed permissions of roles, by the ids of the roles. */
	readonly roles?: ReadonlyMap<string, bigint>;
}

export type AdminSettings = ReturnType<typeof createAdminSettings>;

const defaults = () => ({
	/** Limits that apply everywhere until a guild's boost level changes. */
	fileLimits: undefined as FileLimits | undefined,
	/** Locales of users that differ from the seed. */
	locales: new Map<string, string>(),
	/** Users who accept no direct messages. */
	closedDirectUserIds: new Set<string>(),
	/** Changed guilds, by their ids. */
	guilds: new Map<string, GuildSettings>(),
	/** Overwrites of channels, by the ids of the channels. They hide those that the bot has stored. */
	overwrites: new Map<string, readonly Overwrite[]>(),
	/** The heartbeat interval for new connections. */
	heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
	/** True if the gateway answers RESUME. */
	answersResume: true,
	/** The redirect URIs of the application; `undefined` for its own. */
	redirectUris: undefined as readonly string[] | undefined,
});

export function createAdminSettings() {
	return {
		...defaults(),
		boostLevelOf(guild: Guild): BoostLevel {
			return this.guilds.get(guild.id)?.boostLevel ?? guild.boostLevel ?? 0;
		},
		/** By the guild's boost level unless set; `undefined` is a direct message channel. */
		fileLimitsIn(guild: Guild | undefined): FileLimits {
			const bytesMax = BOOST_FILE_BYTES_MAX[guild ? this.boostLevelOf(guild) : 0];
			const requestBytesMax = Math.max(REQUEST_BYTES_MAX, bytesMax + MIB);
			return this.fileLimits ?? { bytesMax, announcedBytesMax: bytesMax, requestBytesMax };
		},
		localeOf(guild: Guild): string {
			return this.guilds.get(guild.id)?.locale ?? guild.locale ?? Locale.EnglishUS;
		},
		isBotMember({ id }: Guild): boolean {
			return this.guilds.get(id)?.isBotMember ?? true;
		},
		rolePermissions({ id }: Guild, roleId: string): bigint | undefined {
			return this.guilds.get(id)?.roles?.get(roleId);
		},
		changeGuild({ id }: Guild, change: GuildSettings): void {
			this.guilds.set(id, { ...this.guilds.get(id), ...change });
			if (change.boostLevel !== undefined) this.fileLimits = undefined;
		},
		/** `null` restores those of the fixture. */
		setRolePermissions(guild: Guild, roleId: string, permissions: bigint | null): void {
			const roles = new Map(this.guilds.get(guild.id)?.roles);
			if (permissions === null) roles.delete(roleId);
			else roles.set(roleId, permissions);
			this.changeGuild(guild, { roles });
		},
		reset(): void {
			Object.assign(this, defaults());
		},
	};
}
