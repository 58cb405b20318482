/** How English counts and tells the time. */

export function number(count: number): string {
	return count.toLocaleString("en");
}

export function credits(count: number): string {
	return count === 1 ? "1 credit" : `${number(count)} credits`;
}

/** As each reader's Discord words it, in their own time: "on 20 November 2026 18:00, in 5 hours". */
export function when(timeS: number): string {
	return `on <t:${timeS}:f>, <t:${timeS}:R>`;
}
