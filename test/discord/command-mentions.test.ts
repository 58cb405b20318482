import { ApplicationCommandOptionType } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import { quote } from "../../src/i18n/quote.ts";

const subcommand = { type: ApplicationCommandOptionType.Subcommand as const, name: "get", description: "Get" };
const definitions = [
	{ name: "image", name_localizations: { de: "bild" } },
	{
		name: "job",
		name_localizations: { de: "auftrag" },
		options: [{ ...subcommand, name_localizations: { de: "holen" } }],
	},
];

test("commands in backticks, named in the language of the text, become mentions once their ids are known", () => {
	const mentions = createCommandMentions(definitions);
	expect(mentions.link("Use `/image`", "en")).toBe("Use `/image`");
	mentions.learn([
		{ id: "1", name: "image" },
		{ id: "2", name: "job" },
	]);
	expect(mentions.link("Use `/image` or `/job get`", "en")).toBe("Use </image:1> or </job get:2>");
	expect(mentions.link("`/bild`, `/auftrag holen`", "de")).toBe("</image:1>, </job get:2>");
	for (const text of ["`/other`", "`/job`", "`/job other`", String.raw`\`/image\``, "/image"])
		expect(mentions.link(text, "en")).toBe(text);
	mentions.learn("not a list");
	expect(mentions.link("`/image`", "en")).toBe("</image:1>");
});

test("a message mentions the commands that it names, and none that a member wrote", () => {
	const mentions = createCommandMentions(definitions);
	mentions.learn([{ id: "1", name: "image" }]);
	const command = "`/image`";
	const written = quote(`${command} \\${command} \\\\${command} </image:1>`, 100);
	expect(mentions.say("en", { key: "job.empty" })).toContain("</image:1>");
	const denial = { key: "access.promptRejected", params: { reason: written } } as const;
	expect(mentions.say("en", denial)).toContain(written);
});
