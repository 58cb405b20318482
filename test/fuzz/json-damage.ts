/** Values that have caused faults in servers before, and damage to one position of a JSON value. */
import * as fc from "fast-check";
import { arbitraryText } from "@atelier/common/testing/arbitrary-text";

/** A PNG of one pixel, in Base64. */
export const PNG_BASE64 =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const VALID_URL = "https://cdn.test/a.png";

const URLS = [
	VALID_URL,
	"http://",
	"//example.com/x",
	"file:///etc/passwd",
	"javascript:alert(1)",
	"http://169.254.169.254/latest/meta-data/",
	"https://[::ffff:127.0.0.1]/",
	"https://user:pass@example.com/",
	"http://a:99999/",
	"https://[::1",
	"https://ex\u0430mple.com/\u202e",
	`https://example.com/${"a".repeat(5000)}`,
	"https://example.com/\r\nX-Injected: 1",
	"http://studio.test/media/../../etc/passwd",
	"/",
	"/\\a.test/b",
	"data:,",
	"data:;base64,",
	`data:image/png;base64,${PNG_BASE64}`,
];

const TEXTS = [
	"",
	" ",
	"-0",
	"NaN",
	"1e400",
	"101%",
	"9".repeat(400),
	"2026-99-99 99:99:99",
	"success",
	"failed",
	"processing",
	"null",
	"{}",
	'"',
	"{",
	'{"url":1}',
	"..",
	"a/../b",
	"../../secret.txt",
	"\0",
	"\ud800",
	"\u202e@everyone",
	"__proto__",
	"%s%n%x",
	"<script>alert(1)</script>",
	"\r\nSet-Cookie: a=b",
	":base64:AAAA",
	PNG_BASE64,
	"x".repeat(10_001),
	"x".repeat(100_000),
];

const VALUES: readonly unknown[] = [
	...URLS,
	...TEXTS,
	null,
	true,
	0,
	-1,
	1.5,
	200,
	1e308,
	2 ** 53,
	{},
	[null],
	URLS,
	{ url: null },
	{ url: {} },
	{ url: VALID_URL, expired: true },
	{ ["__proto__"]: 1 },
	JSON.parse('{"__proto__":{"isAdmin":true}}'),
	{ toString: 1, valueOf: null },
	{ length: -1 },
	Array.from({ length: 20_000 }, (_, index) => ({ url: index, images: [index] })),
	Array.from({ length: 200 }).reduce<unknown>((inner, _, n) => (n % 2 === 0 ? { data: inner } : [inner]), VALID_URL),
];

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...VALUES) },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
	{ weight: 1, arbitrary: arbitraryText() },
);

/** Returns the names of all fields in a JSON value. */
export function fieldNamesIn(json: unknown): readonly string[] {
	if (typeof json !== "object" || json === null) return [];
	const own = Array.isArray(json) ? [] : Object.keys(json);
	return [...new Set([...own, ...Object.values(json).flatMap(fieldNamesIn)])];
}

const KINDS = ["replace", "remove", "add", "rename", "stringify", "stringifyTwice", "list", "nest"] as const;

export interface JsonDamage {
	/** Each step selects a key of an object or array, modulo their number. */
	readonly path: readonly number[];
	readonly kind: (typeof KINDS)[number];
	readonly value: unknown;
	readonly name: string;
}

/** Generates damages. `add`, `rename` and `nest` use one of these field names. */
export function jsonDamage(names: readonly string[]): fc.Arbitrary<JsonDamage> {
	return fc.record({
		path: fc.array(fc.nat(30), { maxLength: 5 }),
		kind: fc.constantFrom(...KINDS),
		value: anyValue,
		name: fc.constantFrom(...names, "__proto__", "constructor", "hasOwnProperty", "", "\0"),
	});
}

/** Returns a copy of a JSON value with the damage applied. */
export function damageJson(json: unknown, { path, ...damage }: JsonDamage): unknown {
	const { kind, value, name } = damage;
	const [step, ...rest] = path;
	const entries: [string, unknown][] = typeof json === "object" && json !== null ? Object.entries(json) : [];
	if (step !== undefined && entries.length > 0) {
		const changed = entries.flatMap(([key, inner], n): [string, unknown][] => {
			if (n !== step % entries.length) return [[key, inner]];
			if (rest.length === 0 && kind === "remove") return [];
			if (rest.length === 0 && kind === "rename") return [[name, inner]];
			return [[key, damageJson(inner, { path: rest, ...damage })]];
		});
		return Array.isArray(json) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
	}
	switch (kind) {
		case "stringify":
			return JSON.stringify(json) ?? null;
		case "stringifyTwice":
			return JSON.stringify(JSON.stringify(json) ?? null);
		case "list":
			return [json, value];
		case "nest":
			return { [name]: json };
		case "add":
			// `fromEntries` keeps a field with the name __proto__.
			return Object.fromEntries([...entries, [name, value]]);
		case "replace":
		case "remove":
		case "rename":
			return value;
	}
}
