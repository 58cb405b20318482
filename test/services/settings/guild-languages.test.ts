import { expect, test } from "vitest";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";

async function readLocale(guildId: string): Promise<string | undefined> {
	if (guildId === "3") throw new Error("Discord is unavailable");
	return guildId === "1" ? "fr" : undefined;
}

test("the language of a guild is that of its admins, else of its last interaction, else of the guild at Discord, else English", async () => {
	const languages = createGuildLanguages({ readLocale });
	const localesOf = async (language: string | null) =>
		await Promise.all(["1", "2", "3"].map((guildId) => languages.localeOf(guildId, { language })));
	expect(await localesOf(null)).toEqual(["fr", "en-US", "en-US"]);
	languages.record("1", "de");
	expect(await localesOf(null)).toEqual(["de", "en-US", "en-US"]);
	expect(await localesOf("ja")).toEqual(["ja", "ja", "ja"]);
});
