/** The documents of members. */
import { z } from "zod";
import { discordId } from "../server-settings.ts";
import { MEMBER_NAME_CHARS_MAX } from "../limits.ts";

export const MemberIds = z.object({
	/** At most 100 ids, with commas between them. */
	ids: z.string().regex(/^\d{1,20}(,\d{1,20}){0,99}$/, { error: "expected at most 100 ids" }),
});
export const MemberSearch = z.object({
	/** The beginning of a user name or nickname. */
	name: z.string().trim().min(1).max(MEMBER_NAME_CHARS_MAX),
});
/** Members with their names. One who left the server has the id as the name. Those that Discord did not return are missing. */
export const Members = z.object({
	members: z.array(z.object({ id: discordId, name: z.string(), avatarUrl: z.string().nullable() })),
});
export type Members = z.infer<typeof Members>;
