/** Formats times as Discord does: UTC with an offset instead of Z. */
export function discordTime(atMs: number): string {
	return new Date(atMs).toISOString().replace("Z", "000+00:00");
}
