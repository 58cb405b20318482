/** The authors of changes, as journals and settings name them: `member:ID`, `key:NAME`, `operator` or `system`. */

export const OPERATOR = "operator";

export const SURFACES = ["discord", "dashboard", "apiKey"] as const;
export type Surface = (typeof SURFACES)[number];

/** The author of a change of settings, and where they made it. */
export interface SettingsAuthor {
	readonly by: string;
	readonly via: Surface;
}

export function memberAuthor(userId: string, via: Surface): SettingsAuthor {
	return { by: `member:${userId}`, via };
}

/** Returns the id of the member; `null` for other authors. */
export function memberIdOf(by: string): string | null {
	return /^member:(\d+)$/.exec(by)?.[1] ?? null;
}

/** Returns the name of the API key; `null` for other authors. */
export function keyNameOf(by: string): string | null {
	return /^key:(.+)$/s.exec(by)?.[1] ?? null;
}
