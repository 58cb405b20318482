import { expect, test } from "vitest";
import { variableNames } from "../../src/config/schema.ts";
import { findEnvTypos } from "../../src/config/env-typos.ts";

test.each([
	["GUILD_CREDIT", "GUILD_CREDITS"],
	["LOGLEVEL", "LOG_LEVEL"],
	["DISCORD_TOKN", "DISCORD_TOKEN"],
	["DISCORD_TOKENS_FILES", "DISCORD_TOKEN_FILE"],
	["RESULTS_MAX_MIB", "RESULTS_MAX_MB"],
	["guild_credits", ""],
	["PATH", ""],
	["HOSTNAME", ""],
	["OPENAI_API_KEY", ""],
	["REDIS_URL", ""],
])("the suggestion for %s is %j", (variable, similarName) => {
	const found = findEnvTypos({ [variable]: "1" }, variableNames);
	expect(found).toStrictEqual(similarName === "" ? [] : [{ variable, similarName }]);
});

test("a variable that is set is not suggested", () => {
	expect(findEnvTypos({ GUILD_CREDIT: "5", GUILD_CREDITS: "6" }, variableNames)).toStrictEqual([]);
	expect(findEnvTypos({ GUILD_CREDIT: "5", GUILD_CREDITS: "" }, variableNames)).toHaveLength(1);
});

test("no valid variable is reported as a typo of another", () => {
	expect(findEnvTypos(Object.fromEntries(variableNames.map((name) => [name, ""])), variableNames)).toStrictEqual([]);
});
