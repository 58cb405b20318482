import { describe, expect, test } from "vitest";
import type { Call } from "../../web/src/api.ts";
import { keepDrafts, takeDrafts } from "../../web/src/kept-drafts.ts";
import { createServerContext } from "../../web/src/server-context.ts";
import { settings } from "./settings-fixture.ts";

const stored = { revision: 1, settings };
const blocked = (): Storage => expect.fail("SecurityError");
const call = (async () => stored) as unknown as Call;

function tabStorage(): () => Storage {
	const values = new Map<string, string>();
	const storage = {
		getItem: (name: string) => values.get(name) ?? null,
		setItem: (name: string, value: string) => void values.set(name, value),
		removeItem: (name: string) => void values.delete(name),
	} as unknown as Storage;
	return () => storage;
}

describe("drafts", () => {
	test("are kept in the tab for the same reader, and for one login", async () => {
		const storage = tabStorage();
		const { settingsStore, styleDraft, draftsToKeep } = createServerContext(call, "42");
		await settingsStore.load();
		settingsStore.update((before) => ({ ...before, pings: "never" }));
		styleDraft.value = { ...styleDraft.value, name: "Ink" };
		expect(keepDrafts(storage, "7", { "42": draftsToKeep() })).toBe(true);
		const later = createServerContext(call, "42", takeDrafts(storage, "7")["42"]);
		expect(takeDrafts(storage, "7")).toStrictEqual({});
		expect(later.settingsStore.changes.value).toStrictEqual([["pings"]]);
		expect(later.styleDraft.value.name).toBe("Ink");
		keepDrafts(storage, "7", { "42": draftsToKeep() });
		expect(takeDrafts(storage, "8")).toStrictEqual({});
	});

	test("of a grant that is being sent can only be sent again as they are", () => {
		const storage = tabStorage();
		const { creditDrafts, draftsToKeep } = createServerContext(call, "42");
		const sending = { ...creditDrafts.manager.value, amount: "5", reason: "a gift", isSending: true };
		creditDrafts.manager.value = sending;
		keepDrafts(storage, "7", { "42": draftsToKeep() });
		const later = createServerContext(call, "42", takeDrafts(storage, "7")["42"]);
		expect(later.creditDrafts.manager.value).toStrictEqual({ ...sending, isSending: false, isUncertain: true });
		expect(later.hasUnsaved()).toBe(true);
	});

	test("of a tab whose storage is full, blocked or damaged are not kept, which does not keep the reader from logging in", () => {
		const full = { setItem: () => expect.fail("QuotaExceededError") } as unknown as Storage;
		const damaged = { getItem: () => "{", removeItem: () => {} } as unknown as Storage;
		expect([keepDrafts(() => full, "7", {}), keepDrafts(blocked, "7", {})]).toStrictEqual([false, false]);
		expect([takeDrafts(() => damaged, "7"), takeDrafts(blocked, "7")]).toStrictEqual([{}, {}]);
	});
});

test("a field whose text is no value is unsaved", () => {
	const { settingsStore, hasUnsaved } = createServerContext(call, "42");
	settingsStore.setInvalid("limit", true);
	expect(hasUnsaved()).toBe(true);
});
