import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import {
	createSettingsStore,
	SettingsConflictError,
	type SettingsUpdate,
} from "../../../src/services/settings/settings-store.ts";
import { createSettingsService, DeniedSettingsError } from "../../../src/services/settings/settings-service.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { setValues, type SettingValues } from "../../../src/services/settings/setting-table.ts";
import { UserError } from "../../../src/services/user-error.ts";

const GUILD = "1";
const AUTHOR = memberAuthor("7", "discord");
/** A channel where the bot cannot post. */
const CLOSED = "70";
/** A channel where posts time out. */
const SLOW = "80";
/** A channel where the first post arrives, but its response is lost. */
const LOSSY = "90";
/** Channels of another server. */
const FOREIGN = ["100", "101"] as const;
const logger = pino({ level: "silent" });

/** A server with these settings, and the channels where a greeting is visible. */
async function setup(stored: SettingValues = {}, provided = { improver: false, moderation: false }) {
	const settings = createSettingsStore(openMemoryStore(), { clock: createManualClock(0) });
	await settings.change(GUILD, () => setValues(storedSettingsSchema.parse({ logChannelId: "40" }), stored), AUTHOR);
	const greeted = new Set<string>();
	let languageReads = 0;
	const service = createSettingsService({
		settings,
		provided,
		languages: {
			async localeOf() {
				languageReads++;
				return "en-US";
			},
		},
		channels: { isInGuild: async (_guildId, channelId) => !FOREIGN.some((each) => each === channelId) },
		textPoster: {
			async post(channelId) {
				if (channelId === CLOSED) return undefined;
				if (channelId === SLOW) throw new Error("The post timed out.");
				const isLost = channelId === LOSSY && !greeted.has(channelId);
				greeted.add(channelId);
				if (isLost) throw new Error("The response was lost.");
				return `in ${channelId}`;
			},
			remove: async (channelId) => void greeted.delete(channelId),
		},
	});
	const change = async (update: SettingsUpdate, revision?: number) =>
		await service.change(
			{ guildId: GUILD, author: AUTHOR, update, ...(revision !== undefined && { revision }) },
			logger,
		);
	const changeTo = (values: SettingValues) => change((before) => setValues(before, values));
	return { settings, service, greeted, languageReads: () => languageReads, change, changeTo };
}

test.each<[string, SettingValues, readonly string[]]>([
	["each new channel is greeted", { logChannelId: "50", reportChannelId: "60" }, ["50", "60"]],
	["the stored channel is not greeted again", { logChannelId: "40" }, []],
	["no greeting is posted for a removed channel", { logChannelId: null }, []],
	["no greeting stays if a later post times out", { logChannelId: "50", reportChannelId: SLOW }, []],
])("%s", async (_title, values, channelIds) => {
	const { greeted, changeTo } = await setup();
	await Promise.allSettled([changeTo(values)]);
	expect([...greeted]).toStrictEqual(channelIds);
});

test.each<[string, SettingValues, readonly string[]]>([
	["where the bot cannot post", { logChannelId: "50", reportChannelId: CLOSED }, ["reportChannelId"]],
	[
		"where it cannot post after a lost response",
		{ reportChannelId: LOSSY, "showcase.channelId": CLOSED },
		["showcase.channelId"],
	],
	[
		"of another server",
		{ "showcase.channelId": FOREIGN[0], reportChannelId: "60", warnChannelId: FOREIGN[1] },
		["warnChannelId", "showcase.channelId"],
	],
])("a channel %s is denied by the name of its setting, and no greeting stays", async (_where, values, paths) => {
	const { settings, greeted, changeTo } = await setup();
	const before = await settings.readRevision(GUILD);
	const denied = await changeTo(values).catch((error: unknown) => error);
	expect(denied).toBeInstanceOf(DeniedSettingsError);
	expect(denied).toMatchObject({ paths });
	expect([...greeted]).toStrictEqual([]);
	expect(await settings.readRevision(GUILD)).toStrictEqual(before);
});

test.each([
	["access.roles.allowed", { access: { roles: { allowed: [GUILD] } } }],
	["access.roles.denied", { access: { roles: { denied: [GUILD] } } }],
	["allowance.everyone", { allowance: { roles: { [GUILD]: 5 } } }],
])("a new rule or limit of @everyone is denied at %s, and a stored one stays", async (path, values) => {
	const { settings, change } = await setup();
	const update = () => storedSettingsSchema.parse(values);
	await expect(change(update)).rejects.toMatchObject({ paths: [path] });
	await settings.change(GUILD, update, AUTHOR);
	await change((before) => setValues(before, { pings: "never" }));
	expect(await settings.read(GUILD)).toMatchObject({ ...values, pings: "never" });
});

test("a change without a new channel does not read the language of the server", async () => {
	const { languageReads, changeTo } = await setup();
	await changeTo({ pings: "never" });
	expect(languageReads()).toBe(0);
});

test("no greeting is posted for a denied change, or stays if the change is denied after the posts", async () => {
	const { settings, greeted, change } = await setup();
	let isFirst = true;
	for (const deniesFirst of [true, false]) {
		const denied = change((before) => {
			if (deniesFirst || !isFirst) throw new UserError({ key: "settings.everyoneRole" });
			isFirst = false;
			return setValues(before, { logChannelId: "50" });
		});
		await expect(denied).rejects.toThrow("settings.everyoneRole");
	}
	expect([...greeted]).toStrictEqual([]);
	expect((await settings.read(GUILD)).logChannelId).toBe("40");
});

test("a change of an earlier revision is denied before a greeting is posted", async () => {
	const { settings, greeted, change, changeTo } = await setup();
	const { revision } = await settings.readRevision(GUILD);
	await changeTo({ pings: "never" });
	const late = change((before) => {
		greeted.add("the update ran");
		return setValues(before, { logChannelId: "50" });
	}, revision);
	await expect(late).rejects.toThrow(SettingsConflictError);
	expect([...greeted]).toStrictEqual([]);
});

test("a channel that was deleted since blocks no other change", async () => {
	const { changeTo } = await setup({ logChannelId: FOREIGN[0], reportChannelId: CLOSED });
	expect((await changeTo({ pings: "never" })).settings.pings).toBe("never");
});

test("a preview denies what the change would deny, and names its changes without a post", async () => {
	const { service, settings, greeted } = await setup();
	const preview = async (values: SettingValues) => await service.preview(GUILD, (before) => setValues(before, values));
	await expect(preview({ logChannelId: FOREIGN[0] })).rejects.toThrow(DeniedSettingsError);
	const changes = [{ path: "logChannelId", before: "40", after: "50" }];
	expect(await preview({ logChannelId: "50" })).toStrictEqual({ revision: 1, changes });
	expect([...greeted]).toStrictEqual([]);
	expect((await settings.read(GUILD)).logChannelId).toBe("40");
});

test.each([
	["improver", "media.improvePrompts", false, true, "settings.improverMissing"],
	["moderation", "safety.violence", "withhold", "spoiler", "settings.moderationMissing"],
] as const)("without the %s, %s can only be set to its default", async (need, path, byDefault, value, key) => {
	const { changeTo } = await setup();
	await expect(changeTo({ [path]: value })).rejects.toMatchObject({ paths: [path], messageDescriptor: { key } });
	const removedSince = await setup({ [path]: value });
	await removedSince.changeTo({ [path]: value, pings: "never" });
	await removedSince.changeTo({ [path]: byDefault });
	const provided = await setup({}, { improver: false, moderation: false, [need]: true });
	await provided.changeTo({ [path]: value });
});
