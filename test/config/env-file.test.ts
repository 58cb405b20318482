import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { ConfigError } from "../../src/config/config-error.ts";
import { loadDotEnv } from "../../src/config/env-file.ts";

async function load(content: string | Buffer): Promise<NodeJS.ProcessEnv> {
	const path = join(await createTempFolder(), ".env");
	await writeFile(path, content);
	const env = { PORT: "80" };
	loadDotEnv(env, path);
	return env;
}

test.each<[string, string, Record<string, string>]>([
	["a variable after a byte order mark", "\uFEFFHOST=::1\n", { HOST: "::1" }],
	[
		"variables between comments and empty lines",
		"# a=b\n\n  # c\r\nHOST = ::1\r\nexport NAME=b",
		{ HOST: "::1", NAME: "b" },
	],
	[
		"values in quotes, with line breaks in them",
		"A='b\nc'\nD=\"e\" # f's\nG=`h\n\ni`",
		{ A: "b\nc", D: "e", G: "h\n\ni" },
	],
	["quotes in a comment, and in a value without quotes", "# A='\nB=it's\nC=d", { B: "it's", C: "d" }],
	["no variable that is set already", "PORT=90", {}],
])(".env sets %s", async (_what, content, variables) => {
	expect(await load(content)).toStrictEqual({ PORT: "80", ...variables });
});

test.each<[string, string | Buffer, string]>([
	["a line without a name", "A=b\nsecret\nC=d", "line 2: expected NAME=VALUE."],
	["such a line after a quoted value of several lines", "A='b\nc'\nsecret", "line 3: expected NAME=VALUE."],
	["a quote without an end", "A='b\nsecret", "line 2: expected NAME=VALUE."],
	["UTF-16", Buffer.from("\uFEFFA=b", "utf16le"), "is not UTF-8: save it as UTF-8."],
])("%s in .env is an error that does not repeat it", async (_what, content, message) => {
	const loaded = load(content);
	await expect(loaded).rejects.toThrow(ConfigError);
	await expect(loaded).rejects.toThrow(message);
	await expect(loaded).rejects.not.toThrow("secret");
});

test("a missing .env is ignored, and one that cannot be read is an error", async () => {
	const path = join(await createTempFolder(), ".env");
	loadDotEnv({}, path);
	await mkdir(path);
	expect(() => loadDotEnv({}, path)).toThrow("(EISDIR). It must be a file that this user may read.");
});
