import { expect, test } from "vitest";
import { redactReason } from "../../../src/services/generation/redact-reason.ts";

const PROMPT = "a secret garden behind the old mill, at night";
const CJK_PROMPT = "夜晚的秘密花园在旧磨坊后面";
const redacted = (reason: string, prompt = PROMPT, options = {}): string => redactReason(reason, { prompt, options });

test.each<[string, string, string?]>([
	["no such ratio", "no such ratio"],
	[`cannot make "${PROMPT}"`, "cannot make [prompt]"],
	[`rejected: ${PROMPT.toUpperCase()}; change it`, "rejected: [prompt]; change it"],
	["rejected: behind the old mill…", "rejected: [prompt]…"],
	['the word "mill" is not allowed', "the word [prompt] is not allowed"],
	["the word 'night' is not allowed", "the word [prompt] is not allowed"],
	['the word "day" is not allowed', 'the word "day" is not allowed'],
	["the old model is at its limit", "the old model is at its limit"],
	["prompt=a%20secret, garden\\nbehind+the_old-mill", String.raw`prompt=a%20[prompt]\[prompt]`],
	["line one\nline two\u0007\u202e end", "line one line two end"],
	// A short prompt is removed as a word of its own, not inside of other words.
	["cat: the category of cat, cats", "[prompt]: the category of [prompt], cats", "cat"],
	// Texts without spaces are removed in part as well, also of a prompt of several scripts.
	["提示词 秘密花园在旧磨坊 不行", "提示词 [prompt] 不行", CJK_PROMPT],
	["bad: portrait of Jonathan Hamilton", "bad: [prompt]", "portrait of Jonathan Hamilton 北斎"],
	["bad: low frequency hum of machines!", "bad: [prompt]!", "low frequency hum of machines 猫"],
	["cannot read https://cdn.test/name.png?sig=4711, data:image/png;base64,AA", "cannot read https://cdn.test/… [data]"],
])("the reason %j becomes %j", (reason, kept, prompt) => {
	expect(redacted(reason, prompt)).toBe(kept);
});

test("text options are removed, and enum values stay", () => {
	const options = { lyrics: "we sing of the sea", aspect_ratio: "16:9", image_input: ["https://cdn.test/a/b.png"] };
	expect(redacted("bad lyrics: We sing of the sea (16:9)", PROMPT, options)).toBe("bad lyrics: [prompt] (16:9)");
});

test("a reason as long as a page is cut to 200 characters", () => {
	const line = redacted("x y ".repeat(100_000));
	expect(line.length).toBeLessThanOrEqual(200);
	expect(line).toMatch(/…$/);
});

test("a truncated prompt is removed wherever it begins", () => {
	for (let start = 0; start < PROMPT.length - 20; start++) {
		expect(redacted(`bad: ${PROMPT.slice(start, start + 20)}`)).toMatch(/^\w{0,3}\W*\[prompt\]\W*$/);
	}
});
