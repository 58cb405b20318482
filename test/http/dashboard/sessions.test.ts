import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createSessions, SESSION_MS } from "../../../src/http/dashboard/sessions.ts";

const user = {
	user: { id: "7", name: "Ada", avatarUrl: null },
	locale: "de",
	servers: [{ id: "1", name: "Harbor", iconUrl: null, access: "manager" as const }],
};

function setup() {
	const store = openMemoryStore();
	const clock = createManualClock();
	return { store, clock, sessions: createSessions({ store, clock }) };
}

test("a session is found by its id for a week, and has a token for writes", async () => {
	const { sessions, clock } = setup();
	const id = await sessions.begin(user);
	const session = await sessions.read(id);
	expect(session).toMatchObject(user);
	expect(session?.csrfToken).toMatch(/^[\w-]{43}$/);
	await clock.advance(SESSION_MS);
	expect(await sessions.read(id)).toBeUndefined();
});

test("a session ends with the log-out", async () => {
	const { sessions } = setup();
	const [one, other] = [await sessions.begin(user), await sessions.begin(user)];
	await sessions.end(one);
	expect(await sessions.read(one)).toBeUndefined();
	expect(await sessions.read(other)).toMatchObject(user);
});

test("the store does not contain the id in the cookie, and expired sessions are removed", async () => {
	const { sessions, store, clock } = setup();
	const id = await sessions.begin(user);
	await clock.advance(SESSION_MS / 2);
	const later = await sessions.begin(user);
	expect(JSON.stringify(await Array.fromAsync(store.scan("session:")))).not.toContain(id);
	await clock.advance(SESSION_MS / 2);
	await sessions.removeExpired();
	expect(await Array.fromAsync(store.scan("session:"))).toHaveLength(1);
	expect(await sessions.read(later)).toMatchObject(user);
});
