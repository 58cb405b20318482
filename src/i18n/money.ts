/** An amount of money, formatted in the language of the reader. */
export interface Money {
	readonly amount: number;
	/** An ISO 4217 code, such as `EUR`. */
	readonly currency: string;
}

/** Smaller amounts, such as the price of one image, need more digits than the currency has. */
const SMALL_BELOW = 0.1;
const SMALL_DIGITS = 4;

/** Formats an amount for a BCP 47 tag: "€0.20" in English. */
export function formatMoney({ amount, currency }: Money, tag: string): string {
	const digits = amount > 0 && amount < SMALL_BELOW ? { maximumFractionDigits: SMALL_DIGITS } : {};
	return new Intl.NumberFormat(tag, { style: "currency", currency, ...digits }).format(amount);
}

/** Converts credits to money. `null` for 0 credits, and if the operator has not set a price. */
export function moneyOf(credits: number, creditPrice: Money | undefined): Money | null {
	if (creditPrice === undefined || credits === 0) return null;
	return { amount: credits * creditPrice.amount, currency: creditPrice.currency };
}
