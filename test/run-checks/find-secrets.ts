/** Finds secrets in logs: by their shape, configured secrets of tests, and the input of their members. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Detected by shape, whatever the value. */
const SHAPES: Readonly<Record<string, RegExp>> = {
	"an interaction's token": /\/(?:webhooks|interactions)\/\d{17,20}\/(?!\[token\])[\w-]{20}|\baW50ZXJhY3Rpb2[\w-]{20}/,
	"a bot's token": /\b[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}/,
	"a key of the studio": /\bsk-[\w-]{43}/,
	"an API key of a server": /\batelier_[\w-]{43}/,
	"a secret of callbacks": /\bwhsec_[\w+/=]{16}/,
	"a link that opens a file": /[?&]signature=[\w-]{20}|\/results\/\d{17,20}\/\d+\/\d+\/[\w-]{20}/,
	"a password in an address": /:\/\/[^\s/:@"]*:[^\s/:@"]+@/,
	"an authorization": /\b(?:Bearer|Bot) (?!\[token\])[\w.~+/=-]{16}/,
};
const SECRET_NAMES = /(?:TOKEN|KEY|KEYS|SECRET|PASSWORD)$/;
/** Shorter values also occur inside of ordinary words. */
const SECRET_CHARS_MIN = 10;

/** The secrets in an environment, by the names of their variables. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	return Object.entries(env).flatMap(([name, value = ""]) =>
		SECRET_NAMES.test(name) && value.length >= SECRET_CHARS_MIN ? [value] : [],
	);
}

/** Every prompt of more than one word in a test. */
export function promptsOfTests(folder: string): readonly string[] {
	const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const prompts = files.flatMap((name) =>
		[...readFileSync(join(folder, name), "utf8").matchAll(/\bprompt: "([^"\\]+ [^"\\]+)"/g)].map(([, prompt = ""]) =>
			prompt.trim(),
		),
	);
	return [...new Set(prompts)];
}

/** Names the secrets and prompts in a text without repeating them; `undefined` if there are none. */
export function createSecretFinder(
	secrets: readonly string[],
	prompts: readonly string[],
): (text: string) => string | undefined {
	const promptPattern =
		prompts.length > 0
			? new RegExp(`(?<!\\w)(?:${prompts.map((prompt) => RegExp.escape(prompt)).join("|")})(?!\\w)`)
			: undefined;
	return (text) => {
		const shape = Object.entries(SHAPES).find(([, pattern]) => pattern.test(text))?.[0];
		if (shape !== undefined) return shape;
		if (secrets.some((secret) => text.includes(secret))) return "a secret of its configuration";
		return promptPattern?.test(text) === true ? "a prompt" : undefined;
	};
}
