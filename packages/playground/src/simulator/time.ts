/** Times as Discord writes them: UTC with an offset, not with a Z. */
export function discordTime(atMs: number): string {
	return new Date(atMs).toISOString().replace("Z", "000+00:00");
}
