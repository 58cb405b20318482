/**
 * Commands, buttons and forms with the longest possible input, and their replies as bodies for Discord's schema and
 * the additional rules. Lists and texts have their maximum length, or are a little shorter where a command adds to them.
 */
import { PermissionFlagsBits } from "discord.js";
import { pino } from "pino";
import { modelSchema, type MediaType, type Model } from "@atelier/media-protocol/model";
import { diffSettings, type SettingsUpdate } from "../../src/services/settings/settings-store.ts";
import { storedSettingsSchema } from "../../src/services/settings/guild-settings.ts";
import { definitionsFor } from "../../src/commands/index.ts";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { dispatchWith } from "./fake-services.ts";
import { fakeInteraction, fakeOptions } from "./fake-interaction.ts";

export const LONGEST_ID = String(2n ** 64n - 1n);

const definitions = definitionsFor({ hasImprover: true });
/** Mentions of all commands, each longer than its name. */
export const COMMAND_MENTIONS = createCommandMentions(definitions);
COMMAND_MENTIONS.learn(definitions.map(({ name }) => ({ id: LONGEST_ID, name })));
export const CREDITS_MAX = 1_000_000_000;
export const AT_MS = Date.UTC(2099, 11, 30, 23, 59, 59);
/** Each character is escaped, and counts twice. */
export const escapedText = (count: number): string => "*".repeat(count);
const ids = (count: number) => Array.from({ length: count }, (_, n) => String(2n ** 64n - 1n - BigInt(n)));
const names = (count: number, chars: number) => ids(count).map((_, n) => `N${n} `.padEnd(chars, "-"));

const longValues = ids(30).map((id) => escapedText(70) + id);
export const longestModel = (mediaType: MediaType, n = 0): Model =>
	modelSchema.parse({
		id: `${mediaType}${n}`.padEnd(100, "-"),
		name: escapedText(78) + String(n).padStart(2, "0"),
		mediaType,
		scenes: [`text-to-${mediaType}`, `image-to-${mediaType}`, "upscale"],
		options: {
			aspect_ratio: { type: "string", enum: longValues.slice(0, 25) },
			resolution: { type: "string", enum: longValues },
			duration: { type: "integer" },
			lyrics: { type: "string" },
			instrumental: { type: "boolean" },
			negative_prompt: { type: "string" },
			seed: { type: "integer" },
			n: { type: "integer" },
		},
		price: { credits: CREDITS_MAX, resolutionFactors: Object.fromEntries(longValues.map((value) => [value, 1])) },
		health: "degraded",
	});
const MODELS = (["image", "video", "music"] as const).flatMap((mediaType) =>
	ids(30).map((_, n) => longestModel(mediaType, n)),
);

/** Lists to which a command adds an entry are one short of full, and the others are full. Texts have their maximum length. */
export const LONGEST_SETTINGS = storedSettingsSchema.parse({
	timeZone: "America/Argentina/ComodRivadavia",
	unusedCredits: "carryOver",
	channelDefaults: Object.fromEntries(
		ids(100).map((id) => [
			id,
			{
				models: { image: "m".repeat(100), video: "m".repeat(100), music: "m".repeat(100) },
				style: "s".repeat(32),
				private: false,
				mediaOff: ["image", "video", "music"],
				threads: true,
			},
		]),
	),
	allowance: {
		per: "month",
		everyone: CREDITS_MAX,
		roles: Object.fromEntries(ids(250).map((id) => [id, CREDITS_MAX])),
		members: Object.fromEntries(ids(250).map((id) => [id, CREDITS_MAX])),
		media: { image: CREDITS_MAX, video: CREDITS_MAX, music: CREDITS_MAX },
	},
	serverLimit: { credits: CREDITS_MAX, per: "month" },
	warnChannelId: LONGEST_ID,
	media: { spoiler: true, private: true },
	access: {
		paused: { message: escapedText(200) },
		channels: { allowed: ids(100), denied: ids(100) },
		roles: { allowed: ids(100), denied: ids(100) },
		mediaOff: ["image", "video", "music"],
		modelsOff: names(99, 100),
	},
	blocks: Object.fromEntries(
		ids(499).map((id) => [id, { reason: escapedText(200), byUserId: id, atMs: 0, untilMs: AT_MS + 1 }]),
	),
	filter: { patterns: names(99, 64) },
	styles: Object.fromEntries(
		names(49, 32).map((name) => [
			name,
			{
				text: escapedText(500),
				mediaType: "music",
				model: escapedText(100),
				options: {
					aspect_ratio: escapedText(100),
					resolution: escapedText(100),
					duration: 86_400,
					negative_prompt: escapedText(1000),
					instrumental: true,
				},
			},
		]),
	),
	confirmAbove: CREDITS_MAX,
	logChannelId: LONGEST_ID,
	reportChannelId: LONGEST_ID,
	showcase: { channelId: LONGEST_ID, stars: 1_000 },
	language: "pt-BR",
});

const limit = { credits: CREDITS_MAX, leftCredits: 1, usedCredits: CREDITS_MAX, per: "month", resetsAtMs: AT_MS };
const LONGEST_BALANCE = {
	balance: {
		postedCredits: CREDITS_MAX,
		heldCredits: CREDITS_MAX,
		availableCredits: CREDITS_MAX,
		expiring: ids(9).map(() => ({ credits: CREDITS_MAX, expiresAtMs: AT_MS })),
	},
	monthlyCredits: CREDITS_MAX,
	refillsAtMs: AT_MS,
	memberLimit: limit,
	mediaLimits: new Map(["image", "video", "music"].map((mediaType) => [mediaType, limit])),
	serverLimit: limit,
};
const LONGEST_ENTRY = {
	amountCredits: CREDITS_MAX,
	postedAfterCredits: CREDITS_MAX,
	atMs: AT_MS - 5000,
	by: `member:${LONGEST_ID}`,
	reason: escapedText(500),
	model: escapedText(80),
	mediaType: "video",
};
export const LONGEST_CHANGE = {
	revision: 1_000_000,
	atMs: AT_MS,
	by: `member:${LONGEST_ID}`,
	via: "dashboard" as const,
	changes: [
		{ path: "access.modelsOff", before: ids(9).map((id) => escapedText(80) + id), after: names(9, 100) },
		{ path: "access.channels.allowed", before: ids(9), after: ids(19).slice(9) },
		...ids(9).map((id) => ({
			path: `styles.${escapedText(32)}.${id}`,
			before: escapedText(500),
			after: { text: escapedText(500) },
		})),
	],
};

export function longestTask(state: object, locale: string, mediaType: MediaType = "music") {
	const { id, name } = longestModel(mediaType);
	const [shape] = longValues;
	const task: unknown = {
		id: LONGEST_ID,
		request: {
			mediaType,
			model: id,
			modelName: name,
			scene: `text-to-${mediaType}`,
			prompt: escapedText(4000),
			options: {
				aspect_ratio: shape,
				resolution: shape,
				duration: 86_400,
				lyrics: escapedText(4000),
				negative_prompt: escapedText(1000),
				n: 11,
			},
			costCredits: CREDITS_MAX,
		},
		guildId: LONGEST_ID,
		userId: LONGEST_ID,
		locale,
		reply: { channelId: LONGEST_ID, messageId: LONGEST_ID, isEphemeral: false },
		presentation: {
			isSpoiler: false,
			opensThread: false,
			isPromptInFiles: true,
			isImprovable: true,
			isReportable: true,
		},
		createdAtMs: AT_MS,
		deadlineAtMs: AT_MS,
		chargedCredits: CREDITS_MAX,
		leftCredits: CREDITS_MAX,
		...state,
	};
	return task;
}

/** A body that the bot sends, of a kind that Discord limits. */
export interface SentBody {
	readonly kind: "message" | "modal" | "choices";
	readonly body: Readonly<Record<string, unknown>>;
}
type Options = Readonly<Record<string, unknown>>;

export function createBotWithLongestContent(locale: string) {
	const clock = createManualClock(AT_MS - 1000);
	const settings = {
		read: async () => LONGEST_SETTINGS,
		readRevision: async () => ({ settings: LONGEST_SETTINGS, revision: 1 }),
		async *changes() {
			for (let { revision } = LONGEST_CHANGE; revision > 0; revision--) yield { ...LONGEST_CHANGE, revision };
		},
	};
	const deliveredTask = longestTask(
		{ state: "delivered", outcome: { kind: "succeeded", seed: 2 ** 31 - 1, files: [] } },
		locale,
	);
	const services = {
		catalog: { known: (wanted: MediaType) => MODELS.filter(({ mediaType }) => mediaType === wanted) },
		accounts: {
			readBalance: async () => LONGEST_BALANCE,
			readSpending: async () => ({ spentCredits: () => CREDITS_MAX }),
		},
		settings,
		dashboardUrl: () => `https://bot.example.com/dashboard/servers/${LONGEST_ID}/settings`,
		settingsService: {
			provided: { improver: true, moderation: true },
			requireProvided: () => undefined,
			async change({ update }: { readonly update: SettingsUpdate }) {
				const after = update(LONGEST_SETTINGS);
				return { settings: after, revision: 2, changes: diffSettings(LONGEST_SETTINGS, after) };
			},
		},
		topUp: { offered: () => ids(4).map((skuId) => ({ skuId, credits: CREDITS_MAX })) },
		ledger: {
			history: async (_account: string, { limit: count, beforeSeq = 500 }: { limit: number; beforeSeq?: number }) =>
				Array.from({ length: Math.min(count, beforeSeq - 1) }, (_, n) => ({
					...LONGEST_ENTRY,
					kind: n % 2 === 0 ? "grant" : "post",
					seq: beforeSeq - 1 - n,
				})),
		},
		mayManagersGrant: true,
		memberTasks: {
			list: async (_member: unknown, { max }: { max: number }) => Array.from({ length: max }, () => deliveredTask),
			show: async () => deliveredTask,
			links: async () => ids(10).map(() => ({ url: `https://bot.example.com/${"a".repeat(200)}`, untilS: 4e9 })),
		},
		resultAccess: { requireVisible: async () => deliveredTask },
		gallery: {
			imageOf: async () => `https://cdn.example.com/${"a".repeat(1000)}`,
			page: async () => ({
				items: ids(4).map((id) => ({
					task: { ...(deliveredTask as object), id },
					isFavorite: true,
					isInChannel: true,
					imageUrl: `https://cdn.example.com/${"a".repeat(1000)}`,
					isDeletable: true,
				})),
				hasMore: true,
			}),
		},
		reportService: { requireReportable: async () => undefined },
		promptImprover: {},
		deniedForms: { get: () => undefined, delete: () => undefined },
		commandOverrides: { read: async () => [] },
		languages: { record: () => undefined, localeOf: () => locale },
		botUserId: () => "1",
		clock,
		commandMentions: COMMAND_MENTIONS,
	};
	const failed: string[] = [];
	const write = (line: string): void => {
		// A denial is short, and not the reply to measure.
		if (/"level":50|"denial"/.test(line)) failed.push(line);
	};
	const logger = pino({ level: "info" }, { write });
	const dispatch = dispatchWith(services, { logger });

	async function replyTo(is: Parameters<typeof fakeInteraction>[0], fields: Options): Promise<SentBody> {
		const bodies: SentBody[] = [];
		const record = (kind: SentBody["kind"]) => async (body: { toJSON?: () => unknown }) => {
			bodies.push({ kind, body: JSON.parse(JSON.stringify(body)) as SentBody["body"] });
		};
		const message = record("message");
		const defaults = {
			id: LONGEST_ID,
			guildId: LONGEST_ID,
			channelId: LONGEST_ID,
			applicationId: "1",
			locale,
			user: { id: LONGEST_ID },
			permissions: PermissionFlagsBits.ManageGuild,
			deferred: true,
			ephemeral: true,
			editReply: message,
			followUp: message,
			reply: message,
			showModal: record("modal"),
			respond: async (choices: unknown) => void bodies.push({ kind: "choices", body: { choices } }),
		};
		await dispatch(fakeInteraction(is, { ...defaults, ...fields }));
		const last = bodies.at(-1);
		if (!last || failed.length > 0) throw new Error(`no reply: ${failed.splice(0).join("\n")}`);
		return last;
	}

	return {
		/** Types a command, such as `settings show`. */
		type(path: string, options: Options = {}): Promise<SentBody> {
			const [commandName = "", subcommand] = path.split(" ");
			return replyTo(["isChatInputCommand"], { commandName, options: fakeOptions(options, subcommand) });
		},
		/** Requests autocomplete choices for an option. */
		choices(path: string, focused: string): Promise<SentBody> {
			const [commandName = "", subcommand] = path.split(" ");
			return replyTo(["isAutocomplete"], { commandName, options: fakeOptions({}, subcommand, focused) });
		},
		press(customId: string): Promise<SentBody> {
			const attachments = new Map([["1", { url: "https://cdn.example.com/a.png", contentType: "image/png" }]]);
			const pressed = { customId, message: { attachments, flags: { has: () => false } } };
			return replyTo(["isMessageComponent", "isButton"], pressed);
		},
		context(commandName: string, customId: string): Promise<SentBody> {
			const components = [{ toJSON: () => ({ type: 1, components: [{ custom_id: customId }] }) }];
			const targetMessage = { author: { id: "1" }, components, attachments: new Map() };
			return replyTo(["isMessageContextMenuCommand"], { commandName, targetMessage });
		},
	};
}
