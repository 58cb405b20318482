import { z } from "zod";
import { CorruptDocument } from "../store/keyv-store.ts";
import type { Store } from "../store/store.ts";
import { PERIODS, isTimeZone } from "./period.ts";

/** Whole credits, or `null` for no limit. */
const limit = z.int().min(0).max(1_000_000_000).nullable();

/** What the admins of one server have decided. Every field has a default: a server that decided nothing has no document. */
const settingsSchema = z.object({
	/** In which days, weeks and months begin. */
	timeZone: z.string().refine(isTimeZone).default("UTC"),
	/** What becomes of monthly credits that nobody used. */
	unusedCredits: z.enum(["expire", "carryOver"]).default("expire"),
	/** What each member may use in a period. */
	allowance: z
		.object({
			per: z.enum(PERIODS).default("day"),
			everyone: limit.default(null),
			/** By role; of a member's roles, `everyone` among them, the highest counts. */
			roles: z.record(z.string(), limit).default({}),
			/** By member, instead of all that. */
			members: z.record(z.string(), limit).default({}),
			/** What each member may use of one medium, within the above. */
			media: z.partialRecord(z.enum(["image", "video", "music"]), z.int().min(0)).default({}),
		})
		.prefault({}),
	/** What the whole server may use in a period, whatever it owns. */
	serverLimit: z
		.object({ credits: z.int().min(0), per: z.enum(PERIODS) })
		.nullable()
		.default(null),
	/** Where admins are warned when the month's credits run low. */
	warnChannelId: z.string().nullable().default(null),
	/** How results are shown. */
	media: z
		.object({
			/** Hidden until somebody clicks on them. */
			spoiler: z.boolean().default(false),
		})
		.prefault({}),
});
export type GuildSettings = z.infer<typeof settingsSchema>;

/** Exceptions for roles and members that one server may have. */
export const EXCEPTIONS_MAX = 250;

const ATTEMPTS_MAX = 20;

export interface GuildSettingsStore {
	read(guildId: string): Promise<GuildSettings>;
	/** Changes what is there by `change`, which may run again when somebody else changed it first. */
	change(guildId: string, change: (settings: GuildSettings) => GuildSettings): Promise<GuildSettings>;
}

export function createGuildSettings(store: Store): GuildSettingsStore {
	async function load(guildId: string): Promise<{ settings: GuildSettings; raw: string | undefined }> {
		const key = `settings:${guildId}`;
		const stored = await store.get(key);
		const parsed = settingsSchema.safeParse(stored?.value ?? {});
		if (!parsed.success) throw new CorruptDocument(key, parsed.error);
		return { settings: parsed.data, raw: stored?.raw };
	}

	return {
		read: async (guildId) => (await load(guildId)).settings,
		async change(guildId, change) {
			for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
				const { settings, raw } = await load(guildId);
				const next = settingsSchema.parse(change(settings));
				if ((await store.compareAndSet(`settings:${guildId}`, raw, next)) !== undefined) return next;
			}
			throw new Error(`the settings of ${guildId} are changed too often at once`);
		},
	};
}
