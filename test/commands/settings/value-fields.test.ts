import { expect, test } from "vitest";
import { requireWholeNumber } from "../../../src/commands/settings/value-fields.ts";
import { UserError } from "../../../src/services/user-error.ts";

const FIELD = { key: "field.serverLimit" } as const;

test.each([
	[" 1 000 ", 1000],
	["2.500", 2500],
	["0", 0],
	["", null],
])("“%s” is %s credits", (typed, credits) => {
	expect(requireWholeNumber(FIELD, typed, 1_000_000_000)).toBe(credits);
});

test.each(["-5", "1e3", "many", "٣", "1000000001", "0x10", "2.5", "1,00", "10,0000"])(
	"“%s” is denied with the name of the field",
	(typed) => {
		const params = { field: FIELD, max: 1_000_000_000 };
		expect(() => requireWholeNumber(FIELD, typed, 1_000_000_000)).toThrow(
			new UserError({ key: "settings.notNumber", params }),
		);
	},
);
