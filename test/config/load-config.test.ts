import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "../../src/config/config-error.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { environment, SECRETS } from "../../src/config/schema.ts";

const SERVICE = { MEDIA_API_URL: "http://127.0.0.1:1", MEDIA_API_KEY: "k" };
const SKU = "1234567890123456789";
const OTHER_SKU = "1234567890123456780";
const TOKEN_EXPECTED =
	"expected the bot's token, as the developer portal shows it, without blanks and in plain letters, digits and signs";

type Rejection = readonly [env: Readonly<Record<string, string>>, expected: string | RegExp];

const rejected = (name: string, expected: string, ...values: readonly string[]): readonly Rejection[] =>
	values.map((value) => [{ [name]: value }, `${name}: ${expected}`]);
const accepted = (name: string, ...values: readonly string[]) =>
	values.map((value) => [{ [name]: value }, { [name]: value }] as const);

describe("the configuration", () => {
	test("treats an empty variable as unset", () => {
		expect(loadConfig({ DISCORD_TOKEN: "", PORT: "", STORE_URL: "" })).toStrictEqual(loadConfig({}));
		expect(loadConfig({ DISCORD_TOKEN_FILE: "" }).DISCORD_TOKEN).toBeUndefined();
	});

	test.each<readonly [object, object]>([
		[{}, { STORE_URL: "sqlite:data/atelier.db", HOST: "127.0.0.1", PORT: 8080 }],
		[{ PUBLIC_URL: "https://bot.example.com//" }, { PUBLIC_URL: "https://bot.example.com" }],
		[{ STUDIO_URL: "https://studio.example.com/a/" }, { STUDIO_URL: "https://studio.example.com/a" }],
		[
			{ SHARDS: "0-2,7", SHARD_COUNT: "16", QUEUE_URL: "redis://h" },
			{ SHARDS: [0, 1, 2, 7], SHARD_COUNT: 16 },
		],
		[
			{ SHARDS: "0-3", SHARD_COUNT: "4" },
			{ SHARDS: [0, 1, 2, 3], SHARD_COUNT: 4 },
		],
		[
			{ TOP_UP_ITEMS: `${SKU}:100, ${OTHER_SKU}:1000000000` },
			{
				TOP_UP_ITEMS: [
					{ skuId: SKU, credits: 100 },
					{ skuId: OTHER_SKU, credits: 1_000_000_000 },
				],
			},
		],
		[{ CREDIT_PRICE: "0.004 EUR" }, { CREDIT_PRICE: { amount: 0.004, currency: "EUR" } }],
		...accepted("STORE_URL", "memory:", "sqlite:x.db", "redis://a:b@h:1/2", "rediss://h"),
		...accepted("STORE_URL", "postgres://h/db", "postgresql:///db?host=/run"),
		...accepted("QUEUE_URL", "redis://a:b@h:1/2", "rediss://h"),
	])("of %j is %j", (env, expected) => {
		expect(loadConfig(env as Record<string, string>)).toMatchObject(expected);
	});

	test("reports all errors in one message, with variable and expected value", () => {
		const faulty = {
			DISCORD_TOKEN: "in two",
			MEDIA_API_URL: "ftp://media.example.com",
			STORE_URL: "mysql://x",
			QUEUE_URL: "postgres://h/db",
			PORT: "eighty",
			LOG_LEVEL: "loud",
			SHARDS: "some",
		};
		expect(() => loadConfig(faulty)).toThrow(ConfigError);
		expect(() => loadConfig(faulty)).toThrow(
			[
				"Cannot start: check the environment or .env",
				`  DISCORD_TOKEN: ${TOKEN_EXPECTED}`,
				"  SHARDS: expected auto, or shards such as 0-3 or 0,2,5",
				"  MEDIA_API_URL: expected an http or https address, such as https://media.example.com",
				"  STORE_URL: expected sqlite:PATH, redis://…, rediss://…, postgres://…, postgresql://… or memory:",
				"  QUEUE_URL: expected redis://… or rediss://…, or nothing for a queue in this process",
				"  PORT: expected a whole number from 0 to 65535",
				"  LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent",
				"  MEDIA_API_KEY: expected the key of the service, because MEDIA_API_URL is set",
				"  SHARD_COUNT: expected the number of all shards, because SHARDS names some of them",
			].join("\n"),
		);
	});

	test.each<Rejection>([
		[{ DISCORD_API_URL: "http://127.0.0.1:1/api" }, "DISCORD_TOKEN: expected a token, because DISCORD_API_URL is set"],
		[
			{ MEDIA_API_URL: SERVICE.MEDIA_API_URL, MEDIA_API_KY: "k" },
			"MEDIA_API_KY: unknown variable, perhaps misspelled: MEDIA_API_KEY",
		],
		[{ STUDIO_ENGINES: "engines.json", ...SERVICE }, "STUDIO_ENGINES: expected nothing, because MEDIA_API_URL names"],
		[{ MEDIA_ORIGINS: "10.0.0.7" }, "MEDIA_ORIGINS: expected http or https addresses"],
		// A variable with its default value needs no other one.
		[
			{ MODERATION_FAILURE: "allow", MEDIA_API_PROFILE: "specification" },
			/^[^\n]+\n {2}MODERATION_URL: expected [^\n]+$/,
		],
		[{ SHARDS: "9", SHARD_COUNT: "4" }, "SHARDS: expected shards from 0 to 3, because SHARD_COUNT is 4"],
		[{ SHARDS: "2,2,2,2", SHARD_COUNT: "4" }, "QUEUE_URL: expected the queue that the processes of one bot share"],
		[{ STORE_URL: "memory:", QUEUE_URL: "redis://h" }, "STORE_URL: expected a store that several processes share"],
		[{ SHARDS: "5-3", SHARD_COUNT: "8" }, "SHARDS: expected auto, or shards"],
		// One problem for each variable.
		[{ MEDIA_API_KEY: "k", MEDIA_CATALOG: "models.json" }, /^[^\n]+\n {2}MEDIA_API_URL: [^\n]+$/],
		[{ DISCORD_TOKEN: `${"x".repeat(30)}\u2026` }, "DISCORD_TOKEN: expected the bot's token"],
		[{ METRICS_HOST: "0.0.0.0" }, "METRICS_PORT: expected the port for the metrics, because METRICS_HOST is set"],
		...rejected("PUBLIC_URL", "expected an http or https address", "bot.example.com", "ftp://bot.example.com"),
		...rejected(
			"PUBLIC_URL",
			"expected an address without a path, such as https://bot.example.com",
			"https://example.com/bot",
			"https://example.com/?bot",
		),
		...rejected("PORT", "expected a whole number", " ", "1e3"),
		...rejected(
			"STORE_URL",
			"expected",
			"redis:",
			"redis://",
			"postgres://a b/",
			"sqlite:",
			"sqlite::memory:",
			"memory",
			"https://h",
		),
		...rejected("QUEUE_URL", "expected", "redis://", "postgres://h/db", "memory:"),
		...["credits:5", `${SKU}:0`, `${SKU}:1.5`, `${SKU}:1000000001`, `${SKU}=5`, SKU].flatMap((item) =>
			rejected("TOP_UP_ITEMS", `expected SKU_ID:CREDITS, such as ${SKU}:500, in place of "${item}"`, item),
		),
		...rejected("TOP_UP_ITEMS", `expected each item once, but ${SKU} is listed twice`, `${SKU}:5,${SKU}:6`),
		...rejected(
			"TOP_UP_ITEMS",
			"expected at most 4 items",
			[1, 2, 3, 4, 5].map((n) => `123456789012345678${n}:5`).join(","),
		),
		...["0.01", "EUR", "0 EUR", "-1 EUR", "1e3 EUR", "1 euro", "1 XYZ"].flatMap((price) =>
			rejected("CREDIT_PRICE", "expected an amount and a currency, such as 0.01 EUR", price),
		),
	])("rejects invalid and inconsistent variables: %j", (env, expected) => {
		expect(() => loadConfig(env)).toThrow(expected);
	});

	describe("reads secrets from files", () => {
		const folder = mkdtempSync(join(tmpdir(), "atelier-secrets-"));
		afterAll(() => rmSync(folder, { recursive: true }));
		const file = (content: string): string => {
			const path = join(folder, randomUUID());
			writeFileSync(path, content);
			return path;
		};

		test("for each secret variable, without the trailing line break", () => {
			const secrets = {
				DISCORD_TOKEN: "x".repeat(30),
				DISCORD_CLIENT_SECRET: "c",
				MEDIA_API_KEY: "k",
				STORE_URL: "postgres://a:b@h/db",
				QUEUE_URL: "redis://:p@h",
				MODERATION_API_KEY: "m",
				PROMPT_MODEL_KEY: "p",
			};
			const all = Object.entries({ ...secrets, PROMPT_KEYS: randomBytes(32).toString("base64") });
			expect(SECRETS.toSorted()).toStrictEqual(all.map(([name]) => name).toSorted());
			const files = all.map(([name, text]) => [`${name}_FILE`, file(`${text}\r\n`)]);
			const addresses = ["MEDIA_API_URL", "MODERATION_URL", "PROMPT_MODEL_URL", "PUBLIC_URL"];
			const companions = addresses.map((name) => [name, "http://127.0.0.1:1"]);
			const env = Object.fromEntries([...companions, ...files]) as Record<string, string>;
			expect(loadConfig({ ...env, PROMPT_MODEL: "small" })).toMatchObject(secrets);
		});

		test("for any variable named token, key, secret or password", () => {
			const secret = Object.keys(environment.shape).filter((name) => /TOKEN|KEY|SECRET|PASSWORD/.test(name));
			expect(secret.filter((name) => !SECRETS.some((each) => each === name))).toStrictEqual([]);
		});

		test("and reports an invalid file with the reason, together with other errors, without its content", () => {
			const [missing, empty, inTwo] = [join(folder, "no"), file("\n"), file("hunter 2\n")];
			const faulty = {
				DISCORD_TOKEN_FILE: inTwo,
				DISCORD_API_URL: "http://127.0.0.1:1",
				MEDIA_API_URL: "http://127.0.0.1:1",
				MEDIA_API_KEY_FILE: missing,
				STORE_URL: "memory:",
				STORE_URL_FILE: empty,
				QUEUE_URL_FILE: empty,
				PORT: "x",
			};
			expect(() => loadConfig(faulty)).toThrow(
				[
					"Cannot start: check the environment or .env",
					`  MEDIA_API_KEY_FILE: expected a file that can be read at ${missing} (ENOENT)`,
					"  STORE_URL_FILE: expected nothing, because STORE_URL is set as well",
					`  QUEUE_URL_FILE: expected the secret in ${empty}, which is empty`,
					`  DISCORD_TOKEN_FILE: ${TOKEN_EXPECTED}`,
					"  PORT: expected a whole number from 0 to 65535",
				].join("\n"),
			);
		});
	});
});
