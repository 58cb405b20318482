import { expect, test } from "vitest";
import { discordFileOrigins } from "../../src/discord/discord-file-origins.ts";

const DISCORD = ["https://cdn.discordapp.com", "https://media.discordapp.net"];

test.each([
	["Discord alone where no other API is configured", undefined, []],
	["the origin of another API", "https://chat.example.com/api/", ["https://chat.example.com"]],
	["an origin with its port, and not other ports", "http://10.0.0.7:3001/api", ["http://10.0.0.7:3001"]],
	[
		"every name of this machine, with the same port",
		"http://localhost:8081/api",
		["http://localhost:8081", "http://127.0.0.1:8081", "http://[::1]:8081"],
	],
])("attachments may be fetched from %s", (_name, apiUrl, others) => {
	expect(discordFileOrigins(apiUrl)).toStrictEqual([...DISCORD, ...others]);
});
