/**
 * Sessions of the dashboard, as documents `session:HASH` of the store, so that every process of a bot knows them. A stored
 * session does not reveal the id in the cookie. Access tokens of Discord are not kept.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { Session as SessionDocument } from "@atelier/dashboard/schemas/session";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import { readDocument, undefinedIfCorrupt } from "../../services/read-document.ts";

const PREFIX = "session:";
const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_MS = 7 * DAY_MS;
const ID_BYTES = 32;

/**
 * `servers`: the user's servers as of the login. The user's rights in each server are read again for each request. A new field must
 * be optional: without it, stored sessions are unreadable, and all users are logged out.
 */
const sessionSchema = SessionDocument.omit({ isListIncomplete: true, operator: true }).extend({ expiresAtMs: z.int() });
export type Session = z.infer<typeof sessionSchema>;
export type SessionUser = Pick<Session, "user" | "locale" | "servers">;

export interface Sessions {
	/** Resolves to the id for the cookie. */
	begin(user: SessionUser): Promise<string>;
	/** Resolves to `undefined` for an unknown or expired id, and for an unreadable session. */
	read(id: string): Promise<Session | undefined>;
	end(id: string): Promise<void>;
	removeExpired(): Promise<void>;
}

export function createSessions({ store, clock }: { readonly store: Store; readonly clock: Clock }): Sessions {
	return {
		async begin(user) {
			const id = randomBytes(ID_BYTES).toString("base64url");
			const csrfToken = randomBytes(ID_BYTES).toString("base64url");
			await store.set(keyOf(id), { ...user, csrfToken, expiresAtMs: clock.nowMs() + SESSION_MS } satisfies Session);
			return id;
		},
		async read(id) {
			const session = (await readDocument(store, keyOf(id), sessionSchema).catch(undefinedIfCorrupt))?.value;
			return session && session.expiresAtMs > clock.nowMs() ? session : undefined;
		},
		end: (id) => store.delete(keyOf(id)),
		async removeExpired() {
			for await (const { key, value } of store.scan(PREFIX, { onCorrupt: () => {} })) {
				const { data } = sessionSchema.safeParse(value);
				if (!data || data.expiresAtMs <= clock.nowMs()) await store.delete(key);
			}
		},
	};
}

function keyOf(id: string): string {
	return PREFIX + createHash("sha256").update(id).digest("hex");
}
