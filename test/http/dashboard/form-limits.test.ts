import * as formLimits from "@atelier/dashboard/form-limits";
import * as schemas from "@atelier/dashboard/schemas";
import { expect, test } from "vitest";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../../../src/services/credits/credit-service.ts";
import { PERIODS } from "../../../src/services/credits/period.ts";
import { REPORT_CHARS_MAX } from "../../../src/services/moderation/report-service.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES } from "../../../src/services/moderation/verdict.ts";
import { STYLE_OPTIONS } from "../../../src/services/settings/apply-style.ts";
import { SETTINGS_FILE_BYTES_MAX } from "../../../src/services/settings/settings-file.ts";
import * as settingsLimits from "../../../src/services/settings/settings-schema.ts";

test("the forms of the dashboard have the limits and choices of the services", () => {
	const shared = Object.entries(settingsLimits).filter(([name]) => Object.hasOwn(formLimits, name));
	expect(shared).toHaveLength(11);
	expect({ ...formLimits, ...schemas }).toMatchObject({
		...Object.fromEntries(shared),
		REASON_CHARS_MIN,
		REASON_CHARS_MAX,
		REPORT_REASON_CHARS_MAX: REPORT_CHARS_MAX,
		SETTINGS_FILE_CHARS_MAX: SETTINGS_FILE_BYTES_MAX,
		PERIODS,
		STYLE_OPTIONS,
		SAFETY_CATEGORIES: CATEGORIES,
		SAFETY_RULES: CATEGORY_RULE_VALUES,
	});
});
