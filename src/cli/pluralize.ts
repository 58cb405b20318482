/** A number with its noun: `1 task`, `1,024 tasks`. */
export function pluralize(count: number, one: string, many: string): string {
	return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
