import { expect, test } from "vitest";
import { formatMoney, moneyOf } from "../../src/i18n/money.ts";

test.each([
	[0.2, "€0.20"],
	[1234.5, "€1,234.50"],
	[0.1, "€0.10"],
	[0.0125, "€0.0125"],
	[0, "€0.00"],
])("%d euros are shown as %s", (amount, shown) => {
	expect(formatMoney({ amount, currency: "EUR" }, "en-US")).toBe(shown);
});

test("credits have a price in money if the operator has set one", () => {
	const creditPrice = { amount: 0.5, currency: "EUR" };
	expect(moneyOf(3, creditPrice)).toStrictEqual({ amount: 1.5, currency: "EUR" });
	expect(moneyOf(0, creditPrice)).toBeNull();
	expect(moneyOf(3, undefined)).toBeNull();
});
