import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import {
	createSettingsStore,
	SettingsConflictError,
	type ChangeRecord,
} from "../../../src/services/settings/settings-store.ts";
import { setAccessRule, switchModel, setListedModels, setPause } from "../../../src/services/settings/change-access.ts";
import {
	changeMediaTypeLimit,
	changeMemberLimit,
	changeRoleLimit,
} from "../../../src/services/settings/change-limits.ts";
import {
	addPattern,
	blockMember,
	removePattern,
	unblockMember,
} from "../../../src/services/settings/change-moderation.ts";
import { NO_DEFAULTS } from "@atelier/dashboard/server-settings";
import { changeChannelDefaults } from "../../../src/services/settings/channel-defaults.ts";
import { storedSettingsSchema, type GuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { readSettingsFile, writeSettingsFile } from "../../../src/services/settings/settings-file.ts";
import { addStyle, removeStyle } from "../../../src/services/settings/styles.ts";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const GUILD = "1";
const MEMBER = memberAuthor("7", "discord");

function setup() {
	const store = openMemoryStore();
	const clock = createManualClock(Date.UTC(2026, 10, 20));
	const notified: ChangeRecord[] = [];
	const settings = createSettingsStore(store, { clock, onChange: (_guildId, change) => void notified.push(change) });
	const spoiler = (isOn: boolean) =>
		settings.change(GUILD, (s) => ({ ...s, media: { ...s.media, spoiler: isOn } }), MEMBER);
	const changes = async (before?: number) => Array.fromAsync(settings.changes(GUILD, before));
	const stored = async () => (await store.get<object>(`settings:${GUILD}`))?.value;
	return { store, clock, settings, notified, spoiler, changes, stored };
}

test("a read of the settings shows a change of this process at once, and one of another process after a second", async () => {
	const { store, clock, settings, spoiler } = setup();
	const other = createSettingsStore(store, { clock });
	const spoilers = async () => {
		const both = await Promise.all([settings.read(GUILD), other.read(GUILD)]);
		return both.map(({ media }) => media.spoiler);
	};
	expect(await spoilers()).toStrictEqual([false, false]);
	await spoiler(true);
	expect(await spoilers()).toStrictEqual([true, false]);
	await clock.advance(1_000);
	expect(await spoilers()).toStrictEqual([true, true]);
});

describe("a change of the settings", () => {
	test("is recorded with author, surface, time, field, old and new value, newest first", async () => {
		const { store, settings, spoiler, changes, notified, clock } = setup();
		await spoiler(true);
		const [dashboard, apiKey] = [memberAuthor("8", "dashboard"), { by: "key:grafana", via: "apiKey" } as const];
		await settings.change(GUILD, (s) => setPause(s, true, "back soon"), dashboard);
		await settings.change(GUILD, (s) => ({ ...s, filter: { patterns: ["cat"] } }), apiKey);
		const atMs = clock.nowMs();
		const recorded = [
			{ revision: 3, atMs, ...apiKey, changes: [{ path: "filter.patterns", before: [], after: ["cat"] }] },
			{
				revision: 2,
				atMs,
				...dashboard,
				changes: [{ path: "access.paused", before: null, after: { message: "back soon" } }],
			},
			{ revision: 1, atMs, ...MEMBER, changes: [{ path: "media.spoiler", before: false, after: true }] },
		];
		expect(await changes()).toStrictEqual(recorded);
		expect(await changes(3)).toStrictEqual(recorded.slice(1));
		// An unreadable record does not hide the others.
		await store.set(`settings-change:${GUILD}:0999999999998`, { revision: 2 });
		expect(await changes()).toStrictEqual([recorded[0], recorded[2]]);
		expect(notified).toStrictEqual(recorded.toReversed());
	});

	test("of more than 64 KiB is recorded without its values", async () => {
		const { settings, changes } = setup();
		const block = { reason: "x".repeat(200), byUserId: "7", atMs: 0, untilMs: null };
		const blocks = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [String(index), block]));
		const changed = await settings.change(GUILD, (s) => ({ ...s, blocks }), MEMBER);
		expect(changed.changes[0]).toHaveProperty("after");
		const [recorded] = await changes();
		expect(recorded?.changes).toHaveLength(changed.changes.length);
		expect(recorded?.changes[0]).toStrictEqual({ path: changed.changes[0]?.path });
	});

	test("removes the record a thousand changes before it", async () => {
		const { store, spoiler, changes, stored } = setup();
		for (const isOn of [true, false, true]) await spoiler(isOn);
		await store.set(`settings:${GUILD}`, { ...(await stored()), revision: 1_000 });
		for (const isOn of [false, true]) await spoiler(isOn);
		expect((await changes()).map(({ revision }) => revision)).toStrictEqual([1_002, 1_001, 3]);
	});

	test("without an effect is not recorded", async () => {
		const { spoiler, changes, stored } = setup();
		await spoiler(false);
		expect(await changes()).toStrictEqual([]);
		expect(await stored()).toBeUndefined();
	});

	test("of the order of a list is not recorded", async () => {
		const { settings, changes } = setup();
		for (const off of [
			["a", "b"],
			["b", "a"],
		])
			await settings.change(GUILD, (before) => setListedModels(before, off, off), MEMBER);
		expect(await changes()).toHaveLength(1);
	});

	test("by several admins at once is recorded once each", async () => {
		const { settings, changes } = setup();
		const limits = Array.from({ length: 8 }, (_, n) => n);
		await Promise.all(
			limits.map((n) => settings.change(GUILD, (before) => changeRoleLimit(before, String(n), n), MEMBER)),
		);
		expect((await changes()).map(({ revision }) => revision)).toStrictEqual([8, 7, 6, 5, 4, 3, 2, 1]);
		expect(Object.keys((await settings.read(GUILD)).allowance.roles)).toHaveLength(8);
	});

	test.each([false, true])(
		"is stored together with its record if the process ends (written: %s)",
		async (isWritten) => {
			const { store, clock, settings, changes } = setup();
			const crashing = createCrashingStore(store);
			crashing.arm(0, { lastIsWritten: isWritten });
			const change = createSettingsStore(crashing, { clock }).change(GUILD, (s) => setPause(s, true), MEMBER);
			await expect(change).rejects.toThrow("the process crashes");
			expect((await settings.read(GUILD)).access.paused !== null).toBe(isWritten);
			expect(await changes()).toHaveLength(isWritten ? 1 : 0);
		},
	);

	test("of one revision is written once, and denied after another change", async () => {
		const { settings, spoiler } = setup();
		await spoiler(true);
		const { revision } = await settings.readRevision(GUILD);
		const pause = () => settings.change(GUILD, (s) => setPause(s, true), memberAuthor("8", "discord"), revision);
		const { changes, ...changed } = await pause();
		expect(changes).toStrictEqual([{ path: "access.paused", before: null, after: { message: null } }]);
		expect(changed).toMatchObject({ revision: 2, settings: { access: { paused: { message: null } } } });
		expect(await settings.readRevision(GUILD)).toStrictEqual(changed);
		await expect(pause()).rejects.toThrow(SettingsConflictError);
		expect(await settings.readRevision(GUILD)).toStrictEqual(changed);
	});
});

describe("a settings document", () => {
	test("of a later version is read, and keeps unknown fields", async () => {
		const { store, settings, spoiler, stored } = setup();
		const later = { revision: 0, later: { a: 1 }, media: { spoiler: false, frame: "gold" } };
		await store.set(`settings:${GUILD}`, later);
		expect((await settings.read(GUILD)).media.spoiler).toBe(false);
		await spoiler(true);
		expect(await stored()).toMatchObject({ later: { a: 1 }, media: { spoiler: true, frame: "gold" } });
	});

	test.each([
		["GMT", "GMT"],
		["UTC+3", "UTC"],
	])("with the time zone %s is read with %s, which can be shown", async (timeZone, shown) => {
		const { store, settings, spoiler } = setup();
		await store.set(`settings:${GUILD}`, { revision: 0, timeZone, blocks: { "7": { ...block, untilMs: 9e15 } } });
		const read = await settings.read(GUILD);
		expect(read).toMatchObject({ timeZone: shown, blocks: { "7": { untilMs: 8.64e15 } } });
		expect((await spoiler(true)).settings.timeZone).toBe(shown);
		expect(readSettingsFile(writeSettingsFile(read))).toStrictEqual(read);
	});

	test.each([[{ timeZone: 5 }], [{ blocks: [] }], [{ revision: "first" }], ["text"]])(
		"that is damaged (%j) is neither read as missing nor overwritten",
		async (damaged) => {
			const { store, settings, spoiler, stored } = setup();
			await store.set(`settings:${GUILD}`, damaged);
			await expect(settings.read(GUILD)).rejects.toThrow(CorruptDocumentError);
			await expect(spoiler(true)).rejects.toThrow(CorruptDocumentError);
			expect(await stored()).toStrictEqual(damaged);
		},
	);
});

const block = { reason: "spam", byUserId: "1", atMs: 1, untilMs: null };
const unblocker = { userId: "1", isManager: false };
const style = { text: "ink", mediaType: null, model: null, options: {} };
const decided = storedSettingsSchema.parse({
	confirmAbove: 9,
	access: { channels: { allowed: ["40"] }, roles: { denied: ["32"] }, mediaOff: ["music"], modelsOff: ["old"] },
	allowance: { everyone: 5, roles: { "31": 4 }, members: { "8": null }, media: { video: 2 } },
	blocks: { "8": block },
	channelDefaults: { "40": { private: true } },
	filter: { patterns: ["bad word"] },
	styles: { Oil: style },
});
type Change = (settings: GuildSettings) => GuildSettings;

test.each<[string, Change, Change]>([
	["a pause", (s) => setPause(s, true), (s) => setPause(s, false)],
	["a model that is off", (s) => switchModel(s, "new", false), (s) => switchModel(s, "new", true)],
	[
		"an allowed channel",
		(s) => setAccessRule(s, "channels", "50", "allow"),
		(s) => setAccessRule(s, "channels", "50", "clear"),
	],
	["a denied role", (s) => setAccessRule(s, "roles", "33", "deny"), (s) => setAccessRule(s, "roles", "33", "clear")],
	["a limit of a role", (s) => changeRoleLimit(s, "33", 3), (s) => changeRoleLimit(s, "33", "clear")],
	["a limit of a member", (s) => changeMemberLimit(s, "9", 3), (s) => changeMemberLimit(s, "9", "clear")],
	[
		"a limit of a media type",
		(s) => changeMediaTypeLimit(s, "image", 3),
		(s) => changeMediaTypeLimit(s, "image", "clear"),
	],
	["a block", (s) => blockMember(s, "9", block), (s) => unblockMember(s, "9", unblocker, 2)],
	["a pattern", (s) => addPattern(s, "storm*"), (s) => removePattern(s, "Storm*")],
	[
		"defaults of a channel",
		(s) => changeChannelDefaults(s, "50", { threads: true }),
		(s) => changeChannelDefaults(s, "50", NO_DEFAULTS),
	],
	["a style", (s) => addStyle(s, "Ink", style), (s) => removeStyle(s, "ink")],
])("%s that is added and removed changes no other setting", (_what, add, remove) => {
	const added = add(decided);
	expect(added).not.toStrictEqual(decided);
	expect(remove(added)).toStrictEqual(decided);
});

test("a block without a reason is denied", () => {
	expect(() => blockMember(decided, "9", { ...block, reason: "" })).toThrow("block.reasonEmpty");
});
