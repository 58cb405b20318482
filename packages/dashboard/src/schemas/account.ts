/** The documents of the reader's own account. */
import { z } from "zod";
import { mediaType } from "../server-settings.ts";
import { credits } from "./values.ts";
import { LimitUse } from "./credits.ts";

/** The reader's own credits and jobs in a server. */
export const OwnAccount = z.object({
	/** `null`: no limit of their own. */
	limit: LimitUse.nullable(),
	media: z.array(LimitUse.extend({ mediaType })),
	/** The limit of all members together; `null`: no limit. */
	serverLimit: LimitUse.nullable(),
	serverAvailableCredits: credits,
});

export const Removal = z.object({
	/** The number of removed documents. */
	removed: z.int(),
	/** They stay until a deletion after their end. Some may be canceled already. */
	unfinishedJobs: z.int(),
});

export const Done = z.object({});
