/** As Discord's timestamps count, which each reader sees in their own time zone: never earlier than it is. */
export function toTimestampS(timeMs: number): number {
	return Math.ceil(timeMs / 1000);
}
