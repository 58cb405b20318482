/** The documents of the session. */
import { z } from "zod";
import { discordId } from "../server-settings.ts";

/** The reasons of a failed login, in the query `error` of the page. */
export const LOGIN_FAILURES = ["canceled", "state", "discord_unavailable", "rate_limited", "unexpected"] as const;
export type LoginFailure = (typeof LOGIN_FAILURES)[number];

/** A server that the reader may open. Managers have _Manage Server_ there, moderators _Manage Messages_. */
export const ServerRef = z.object({
	id: discordId,
	name: z.string(),
	iconUrl: z.string().nullable(),
	access: z.enum(["manager", "moderator", "member"]),
});

export const Session = z.object({
	user: z.object({ id: discordId, name: z.string(), avatarUrl: z.string().nullable() }),
	/** Sent as the header `x-csrf-token` with every write, and by the page with every call. */
	csrfToken: z.string(),
	/** Discord's code of the reader's language, such as `de` or `en-US`. */
	locale: z.string(),
	servers: z.array(ServerRef),
	/** Discord did not return all servers of the reader in time: some may be missing. */
	isListIncomplete: z.boolean(),
	/** `null` for readers who are not operators of the bot. */
	operator: z.object({ mayWrite: z.boolean() }).nullable(),
});
export type Session = z.infer<typeof Session>;

/** ICU messages by key: those that the dashboard shows. */
export const Messages = z.object({ locale: z.string(), messages: z.record(z.string(), z.string()) });
export type Messages = z.infer<typeof Messages>;
