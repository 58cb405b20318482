import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { credits } from "../../src/commands/credits.ts";
import { idField } from "../../src/discord/custom-id.ts";
import { customIdsIn, textsIn } from "../../src/discord/message-contents.ts";
import { dispatchWith } from "./fake-services.ts";
import { fakeInteraction, fakeOptions } from "./fake-interaction.ts";

test("the option `before` accepts only numbers that the buttons of the history can carry", () => {
	const before = JSON.stringify(credits.definition).match(/"max_value":(\d+)/)?.[1] ?? "";
	expect(idField.number.decode(before)).toBe(9_999_999_999);
	expect(idField.number.decode(String(Number(before) + 1))).toBeUndefined();
});

const MANAGER = "7";

/** Types `/credits history` in a server whose journal has only these kinds of entries, all of one member. */
async function typeHistory(of: { kinds: readonly string[]; by: string; entries: number }, options: object) {
	const entry = { amountCredits: 4, postedAfterCredits: 596, atMs: 0, reason: "image", by: `member:${of.by}` };
	const all = Array.from({ length: of.entries }, (_, n) => ({
		...entry,
		kind: of.kinds[n % of.kinds.length],
		seq: n + 1,
	}));
	const history = async (
		_account: string,
		{ limit, beforeSeq = of.entries + 1 }: { limit: number; beforeSeq?: number },
	) => all.slice(Math.max(0, beforeSeq - 1 - limit), beforeSeq - 1).toReversed();
	const replies: string[] = [];
	const buttonIds: string[] = [];
	const replying = {
		permissions: PermissionFlagsBits.ManageGuild,
		deferred: true,
		editReply: async ({ components }: { components: unknown }) => {
			replies.push(textsIn(components).join("\n"));
			buttonIds.splice(0, Infinity, ...customIdsIn(components));
		},
	};
	const typed = { commandName: "credits", options: fakeOptions(options as Record<string, unknown>, "history") };
	const dispatch = dispatchWith({ ledger: { history } });
	await dispatch(fakeInteraction(["isChatInputCommand"], { ...replying, ...typed }));
	/** Presses the last button of the reply, and returns the page that it shows. */
	async function pressLast(): Promise<string | undefined> {
		const press = { ...replying, customId: buttonIds.at(-1) };
		await dispatch(fakeInteraction(["isMessageComponent", "isButton"], press));
		return replies.at(-1);
	}
	return { text: replies.join("\n"), buttonIds, pressLast };
}

test("the history of a member shows usage, and not their grants to the server", async () => {
	const granted = { kinds: ["grant", "post"], by: MANAGER, entries: 2 };
	const { text: own } = await typeHistory(granted, { member: MANAGER });
	expect(own).toContain("**Your credit history**, newest first");
	expect([own.includes("**−4** → 596"), own.includes("**+4**")]).toStrictEqual([true, false]);
	expect((await typeHistory(granted, {})).text).toContain("**+4** → 596");
});

test("a search that stops early continues with a button, and a CSV file searches twice as far", async () => {
	const ofOther = { kinds: ["post"], by: "9", entries: 6_000 };
	const { text, buttonIds, pressLast } = await typeHistory(ofOther, { member: "8" });
	expect([text, ...buttonIds]).toStrictEqual(["Nothing found so far.", "1:history:8:1001:0"]);
	expect(await pressLast()).toBe("Nothing to show yet.");
	expect((await typeHistory(ofOther, { member: "8", csv: true })).text).toBe("0 entries, newest first.");
});

test("a page with entries that stops early continues below them", async () => {
	const few = { kinds: ["post", ...Array.from({ length: 2_999 }, () => "grant")], by: MANAGER, entries: 6_000 };
	const { text, buttonIds, pressLast } = await typeHistory(few, { member: MANAGER });
	expect(text.split("\n")).toHaveLength(2);
	expect(buttonIds).toStrictEqual([`1:history:${MANAGER}:1001:0`]);
	expect((await pressLast())?.split("\n")).toHaveLength(2);
	expect(buttonIds).toStrictEqual([]);
});
