import { expect, test } from "vitest";
import { definePagedList } from "../../../src/commands/framework/paged-list.ts";
import { createCommandMentions } from "../../../src/discord/command-mentions.ts";
import { customIdsIn, textsIn } from "../../../src/discord/message-contents.ts";
import { fakeInteraction } from "../fake-interaction.ts";
import { fakeServices } from "../fake-services.ts";

/** The custom ids of buttons that lead to these pages of the numbers of a member. */
const buttons = (...pages: readonly number[]) => pages.map((page) => `1:numbers:1000000000000000007:90:${page}`);

test("a page that has become empty is replaced by the last one, and only an empty list says so", async () => {
	let pages = 3;
	const list = definePagedList("numbers", async (_interaction, { page }) =>
		page < pages ? { head: `page ${page}`, rows: [], hasMore: page + 1 < pages } : "There are no numbers.",
	);
	/** Turns to the third page of the numbers of a member. */
	async function press() {
		const shown: unknown[] = [];
		const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
			customId: buttons(2)[0],
			editReply: async ({ components }: { readonly components: never }) =>
				void shown.push(...textsIn(components), ...customIdsIn(components)),
		});
		await list.turnPage.execute(interaction, fakeServices({ commandMentions: createCommandMentions([]) }));
		return shown;
	}
	expect(await press()).toStrictEqual(["page 2", ...buttons(1, 3)]);
	pages = 1;
	expect(await press()).toStrictEqual(["page 0"]);
	pages = 0;
	expect(await press()).toStrictEqual(["There are no numbers."]);
});
