/** Converts to the seconds of Discord's timestamps, rounded up: never earlier than the time itself. */
export function toTimestampS(timeMs: number): number {
	return Math.ceil(timeMs / 1000);
}
