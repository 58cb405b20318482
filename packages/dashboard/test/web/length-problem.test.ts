import { expect, test } from "vitest";
import { createTranslate } from "../../web/src/language.ts";
import { lengthProblem } from "../../web/src/length-problem.ts";

test("a text has enough characters without spaces around it, and not too many", () => {
	const t = createTranslate({ "dashboard.lengthInvalid": "{min} to {max}" }, "en");
	const problems = ["", " a ", " abc ", "abcd", "abcde"].map((text) => lengthProblem(t, text, 3, 4));
	expect(problems).toStrictEqual(["3 to 4", "3 to 4", undefined, undefined, "3 to 4"]);
});
