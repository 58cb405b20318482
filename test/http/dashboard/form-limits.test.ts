import * as schemas from "@atelier/dashboard/schemas";
import { expect, test } from "vitest";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../../../src/services/credits/credit-service.ts";
import { PERIODS } from "../../../src/services/credits/period.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES } from "../../../src/services/moderation/verdict.ts";
import { STYLE_OPTIONS } from "../../../src/services/settings/apply-style.ts";
import { BLOCK_REASON_CHARS_MAX, LIMIT_CREDITS_MAX } from "../../../src/services/settings/settings-schema.ts";

test("the forms of the dashboard have the limits and choices of the services", () => {
	expect(schemas).toMatchObject({
		REASON_CHARS_MIN,
		REASON_CHARS_MAX,
		BLOCK_REASON_CHARS_MAX,
		LIMIT_CREDITS_MAX,
		PERIODS,
		STYLE_OPTIONS,
		SAFETY_CATEGORIES: CATEGORIES,
		SAFETY_RULES: CATEGORY_RULE_VALUES,
	});
});
