import { expect, test } from "vitest";
import { ServerSettings } from "@atelier/dashboard/server-settings";
import { applyDocument } from "../../../src/services/settings/settings-document.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";

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
