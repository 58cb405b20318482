import { expect, test } from "vitest";
import { ServerSettings } from "@atelier/dashboard/server-settings";
import { applyDocument } from "../../../src/services/settings/settings-document.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";

const defaults = storedSettingsSchema.parse({});

test.each([
	[" Back\nsoon\u200B ", "Back soon"],
	["\u200B", null],
	[null, null],
])("the reason %j of a pause is stored as one line of visible characters", (message, stored) => {
	const before = storedSettingsSchema.parse({});
	const sent = ServerSettings.parse(before);
	const after = applyDocument(before, { ...sent, access: { ...sent.access, paused: { message } } }, []);
	expect(after).toStrictEqual({ ...before, access: { ...before.access, paused: { message: stored } } });
});

test.each([
	["styles", (entries: object) => ({ styles: entries })],
	["roles with an allowance", (entries: object) => ({ allowance: { ...defaults.allowance, roles: entries } })],
	["channels with defaults", (entries: object) => ({ channelDefaults: entries })],
	["patterns", (entries: object) => ({ filter: { patterns: Object.values(entries) } })],
	["models", (entries: object) => ({ access: { ...defaults.access, modelsOff: Object.values(entries) } })],
])("too many %s are one problem, found before the entries are checked", (_what, settingsWith) => {
	const entries = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`x${index}`, null]));
	for (const schema of [ServerSettings, storedSettingsSchema]) {
		const { error } = schema.safeParse({ ...defaults, ...settingsWith(entries) });
		expect(error?.issues.map(({ message }) => message)).toStrictEqual([
			expect.stringMatching(/^expected at most \d+$/),
		]);
	}
});
