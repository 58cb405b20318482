import { expect, test } from "vitest";
import { redactReason } from "../../../src/services/generation/redact-reason.ts";

const PROMPT = "a secret garden behind the old mill, at night";
const redacted = (reason: string, prompt = PROMPT, options = {}): string => redactReason(reason, { prompt, options });

test.each([
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
])("the reason %j becomes %j", (reason, kept) => {
	expect(redacted(reason)).toBe(kept);
});

test("a short prompt is removed as a word of its own, not inside of other words", () => {
	expect(redacted("cat: the category of cat, cats", "cat")).toBe("[prompt]: the category of [prompt], cats");
});

test("a prompt without spaces is removed in part as well", () => {
	expect(redacted("提示词 秘密花园在旧磨坊 不行", "夜晚的秘密花园在旧磨坊后面")).toBe("提示词 [prompt] 不行");
});

test("a prompt of several scripts is removed in all of them", () => {
	const prompt = "portrait of Jonathan Alexander Hamilton 北斎";
	expect(redacted("rejected: portrait of Jonathan Alexander Hamilton", prompt)).toBe("rejected: [prompt]");
	expect(redacted("rejected: low frequency hum of machines!", "low frequency hum of machines 猫")).toBe(
		"rejected: [prompt]!",
	);
});

test("text options are removed, and enum values stay", () => {
	const options = { lyrics: "we sing of the sea", aspect_ratio: "16:9", image_input: ["https://cdn.test/a/b.png"] };
	expect(redacted("bad lyrics: We sing of the sea (16:9)", PROMPT, options)).toBe("bad lyrics: [prompt] (16:9)");
});

test("a URL is reduced to its host, and data is removed", () => {
	expect(redacted("cannot read https://cdn.test/files/name.png?signature=4711, data:image/png;base64,AAAA")).toBe(
		"cannot read https://cdn.test/… [data]",
	);
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
