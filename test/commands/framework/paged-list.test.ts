import { pino } from "pino";
import { expect, test } from "vitest";
import { definePagedList } from "../../../src/commands/framework/paged-list.ts";
import { customIdsIn, textsIn } from "../../../src/discord/message-contents.ts";
import { fakeInteraction } from "../fake-interaction.ts";

test("a page that has become empty is replaced by the last one, and only an empty list says so", async () => {
	let pages = 3;
	const list = definePagedList("numbers", async (_interaction, { page }) =>
		page < pages ? { head: `page ${page}`, rows: [], hasMore: page + 1 < pages } : "There are no numbers.",
	);
	const press = async (page: number) => {
		const shown: string[] = [];
		const editReply = async ({ components }: { readonly components: never }) => void shown.push(...textsIn(components));
		const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
			customId: `1:numbers:0:0:${page}`,
			editReply,
		});
		await list.turnPage.execute(interaction, {}, pino({ level: "silent" }));
		return shown;
	};
	expect(await press(2)).toStrictEqual(["page 2"]);
	pages = 1;
	expect(await press(2)).toStrictEqual(["page 0"]);
	pages = 0;
	expect(await press(2)).toStrictEqual(["There are no numbers."]);
});

test("the buttons of a page lead to the pages of the same member and range", async () => {
	const list = definePagedList("numbers", async () => ({ head: "numbers", rows: [], hasMore: true }));
	const customIds: string[] = [];
	const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
		customId: "1:numbers:1000000000000000007:90:1",
		editReply: async ({ components }: { readonly components: never }) =>
			void customIds.push(...customIdsIn(components)),
	});
	await list.turnPage.execute(interaction, {}, pino({ level: "silent" }));
	expect(customIds).toStrictEqual([0, 2].map((page) => `1:numbers:1000000000000000007:90:${page}`));
});
