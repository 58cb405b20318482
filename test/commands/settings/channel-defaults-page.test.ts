import { expect, test } from "vitest";
import { channelDefaultsParts, channelDefaultsEditor } from "../../../src/commands/settings/channel-defaults-page.ts";
import { textsIn } from "../../../src/discord/message-contents.ts";
import { changeChannelDefaults } from "../../../src/services/settings/channel-defaults.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { fakeServices } from "../fake-services.ts";
import { COMMAND_MENTIONS, longestModel } from "../longest-content.ts";

const LOCALE = "en-US";
const channelIds = Array.from({ length: 9 }, (_, n) => `100000000000000000${n}`);
const channelDefaults = Object.fromEntries(channelIds.map((id) => [id, { private: true }]));

test("the page shows the channels that were changed last", () => {
	const [first = ""] = channelIds;
	const settings = changeChannelDefaults(storedSettingsSchema.parse({ channelDefaults }), first, { private: false });
	const shown = textsIn(channelDefaultsParts(settings, [], undefined, LOCALE, COMMAND_MENTIONS)).join("\n");
	const mentioned = [...shown.matchAll(/<#(\d+)>/g)].map(([, id]) => id);
	expect(mentioned).toStrictEqual([first, ...channelIds.slice(3).toReversed()]);
});

test("the form contains the style of the channel, even if the menu cannot show all styles", () => {
	const styles = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`Style ${n}`, { text: "ink" }]));
	const settings = storedSettingsSchema.parse({ styles, channelDefaults: { "50": { style: "Style 40" } } });
	const catalog = { known: () => [longestModel("image")] };
	const fields = channelDefaultsEditor("50").form.fields(settings, LOCALE, fakeServices({ catalog }));
	expect(JSON.stringify(fields)).toContain('"value":"Style 40","label":"Style 40","default":true');
});
