import { computed, signal } from "@preact/signals";
import { expect, test } from "vitest";
import { changedPaths } from "../../src/setting-paths.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import { countMembersOver } from "../../web/src/count-members-over.ts";
import { settings } from "./settings-fixture.ts";

function setup() {
	const draft = signal<ServerSettings>(settings);
	const invalidFields = signal<ReadonlySet<string>>(new Set());
	const timers = new Set<() => void>();
	const counts: ServerSettings["allowance"][] = [];
	const bot = { isUp: true };
	const changes = computed(() => changedPaths(settings, draft.value));
	const { shown } = countMembersOver(
		{ draft, changes, invalidFields },
		{
			count: async ({ allowance }) => {
				counts.push(allowance);
				if (!bot.isUp) throw new Error("away");
				return { membersOver: counts.length, membersUnknown: 0 };
			},
			later: (run) => {
				timers.add(run);
				return () => timers.delete(run);
			},
		},
	);
	const wait = async (): Promise<void> => {
		for (const run of timers) run();
		timers.clear();
		await new Promise((resolve) => setTimeout(resolve, 0));
	};
	const setLimit = (everyone: number): void => {
		draft.value = { ...draft.value, allowance: { ...draft.value.allowance, everyone } };
	};
	return { draft, invalidFields, counts, bot, shown, wait, setLimit };
}

test("members over changed limits are counted once for the same limits, and not after changes of other settings", async () => {
	const { draft, counts, shown, wait, setLimit } = setup();
	await wait();
	expect(counts).toHaveLength(0);
	setLimit(1);
	setLimit(12);
	await wait();
	expect(shown.value).toMatchObject({ membersOver: 1, per: settings.allowance.per });
	draft.value = { ...draft.value, pings: "never" };
	await wait();
	expect(counts.map(({ everyone }) => everyone)).toStrictEqual([12]);
	expect(shown.value).not.toBeNull();
});

test("a count of members is shown only for the present limits, and while no field is invalid", async () => {
	const { invalidFields, bot, counts, shown, wait, setLimit } = setup();
	setLimit(12);
	await wait();
	setLimit(13);
	expect(shown.value).toBeNull();
	bot.isUp = false;
	await wait();
	expect(shown.value).toBeNull();
	setLimit(12);
	expect(shown.value).toMatchObject({ membersOver: 1 });
	invalidFields.value = new Set(["field"]);
	expect(shown.value).toBeNull();
	setLimit(14);
	await wait();
	expect(counts).toHaveLength(2);
});
