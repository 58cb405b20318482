import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { credits } from "../../src/commands/credits.ts";
import { idField } from "../../src/discord/custom-id.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
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
	const interaction = fakeInteraction(["isChatInputCommand"], {
		commandName: "credits",
		permissions: PermissionFlagsBits.ManageGuild,
		deferred: true,
		editReply: async ({ content = "", components }: { content?: string; components?: unknown }) =>
			void replies.push([content, ...textsIn(components)].join("\n").trim()),
		options: fakeOptions(options as Record<string, unknown>, "history"),
	});
	await dispatchWith({ ledger: { history } })(interaction);
	return replies.join("\n");
}

test("the history of a member shows usage, and not their grants to the server", async () => {
	const granted = { kinds: ["grant", "post"], by: MANAGER, entries: 2 };
	const own = await typeHistory(granted, { member: MANAGER });
	expect(own).toContain("**Your credit history**, newest first");
	expect([own.includes("**−4** → 596"), own.includes("**+4**")]).toStrictEqual([true, false]);
	expect(await typeHistory(granted, {})).toContain("**+4** → 596");
});

test("a search without a match says where it ended, and a CSV file searches twice as far", async () => {
	const ofOther = { kinds: ["post"], by: "9", entries: 6_000 };
	expect(await typeHistory(ofOther, { member: "8" })).toBe(
		"Nothing found so far. To search further back, add `before`: 1001",
	);
	expect(await typeHistory(ofOther, { member: "8", before: 1001 })).toBe("Nothing to show yet.");
	expect(await typeHistory(ofOther, { member: "8", csv: true })).toBe("0 entries, newest first.");
});
