import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createSessions, SESSION_MS } from "../../../src/http/dashboard/sessions.ts";

const user = {
	user: { id: "7", name: "Ada", avatarUrl: null },
	locale: "de",
	servers: [{ id: "1", name: "Harbor", iconUrl: null, access: "manager" as const }],
};

test("a session is valid for a week, and the store does not contain the id in the cookie", async () => {
	const [store, clock] = [openMemoryStore(), createManualClock()];
	const sessions = createSessions({ store, clock });
	const id = await sessions.begin(user);
	await clock.advance(SESSION_MS / 2);
	const later = await sessions.begin(user);
	expect(await sessions.read(id)).toMatchObject({ ...user, csrfToken: expect.stringMatching(/^[\w-]{43}$/) });
	expect(JSON.stringify(await Array.fromAsync(store.scan("session:")))).not.toContain(id);
	await clock.advance(SESSION_MS / 2);
	expect(await sessions.read(id)).toBeUndefined();
	await sessions.removeExpired();
	expect(await Array.fromAsync(store.scan("session:"))).toHaveLength(1);
	expect(await sessions.read(later)).toMatchObject(user);
	for await (const { key } of store.scan("session:")) await store.set(key, { from: "another version" });
	expect(await sessions.read(later)).toBeUndefined();
});
