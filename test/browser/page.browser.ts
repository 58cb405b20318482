/** The page in a real browser with the real bot. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { createTempFolder, openAtelier } from "../e2e/start-atelier.ts";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { openPlayground } from "@atelier/playground/testing/setup";
import { createBrowser, expectInOrder, findChromium } from "./browser.ts";

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the page in a browser", { timeout: 150_000 }, () => {
	const open = createBrowser(executablePath);

	test("a new user types /image and sees the image, then plays a video", async () => {
		const { atelier } = await openAtelier({ engine: "sketch" });
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		await expectInOrder(tab);

		await page.keyboard.type("/image");
		await page.getByRole("option", { name: /\/image/ }).waitFor();
		await page.keyboard.press("Enter");
		await page.keyboard.type("a lighthouse in a storm");
		await page.keyboard.press("Enter");
		const picture = page.locator(".message img");
		await picture.waitFor();
		const isDrawn = (): Promise<boolean> =>
			picture.evaluate((image) => "naturalWidth" in image && Number(image.naturalWidth) > 500);
		await expect.poll(isDrawn, { timeout: 60_000 }).toBe(true);
		expect(await picture.getAttribute("alt")).toContain("a lighthouse in a storm");
		await tab.picture("first-picture-dark");
		await expectInOrder(tab);

		await page.locator("#composer-input").focus();
		// Short and small like a pasted video, because it is encoded during the test.
		await page.keyboard.insertText("/video prompt: a calm lake duration: 2 resolution: 480p");
		await page.keyboard.press("Enter");
		const film = page.locator(".message video");
		await film.waitFor();
		await film.evaluate(async (element) => {
			if ("play" in element && typeof element.play === "function") await element.play();
		});
		const seconds = (): Promise<number> =>
			film.evaluate((element) => ("currentTime" in element ? Number(element.currentTime) : -1));
		await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(0.2);
		await tab.picture("film-dark");

		await page.emulateMedia({ colorScheme: "light" });
		await tab.picture("film-light");
		await expectInOrder(tab);
	});

	test("everything is usable at the width of a phone, one drawer at a time", async () => {
		const { atelier } = await openAtelier();
		const tab = await open(atelier.origin, { width: 360, height: 740, colorScheme: "light" });
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		const overflow = (): Promise<number> => page.evaluate("document.documentElement.scrollWidth - innerWidth");
		expect(await overflow()).toBe(0);
		await expectInOrder(tab);
		await tab.picture("phone-light");

		await page.getByRole("button", { name: "Channels" }).click();
		await page.getByRole("button", { name: "gallery" }).click();
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("gallery");
		await page.getByRole("button", { name: "Members" }).click();
		await page.getByRole("complementary", { name: "Members" }).getByText("Yuki").waitFor();
		await expectInOrder(tab);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Admin panel" }).click();
		await page.getByRole("heading", { name: "Admin panel" }).waitFor();
		expect(await overflow()).toBe(0);
		await expectInOrder(tab);
	});

	test("a user switches between guilds, and unread messages stay marked", async () => {
		const { atelier, userClient } = await openAtelier();
		const tab = await open(atelier.origin);
		const { page } = tab;
		const server = (name: RegExp) => page.getByRole("list", { name: "Servers" }).getByRole("button", { name });
		await page.locator(".example").first().waitFor();
		await expectInOrder(tab);
		await tab.picture("servers-first-dark");
		await page.getByRole("button", { name: "gallery" }).click();

		// By keyboard only: down the list of guilds, and into one.
		await server(/Atelier Playground/).focus();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { level: 2, name: "Werkstatt Nord" }).waitFor();
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("werkbank");
		expect(await server(/Werkstatt Nord/).getAttribute("aria-current")).toBe("page");
		const members = page.getByRole("complementary", { name: "Members" });
		await members.getByText("Clara").waitFor();
		expect(await members.getByText("Yuki").count()).toBe(0);

		await (await userClient.type("/help")).until();
		await (await userClient.type("/image", { prompt: "a boat" })).until();
		await server(/Atelier Playground, unread messages/).waitFor();
		await tab.picture("servers-unread-dark");
		await expectInOrder(tab);
		await page.emulateMedia({ colorScheme: "light" });
		await expectInOrder(tab);
		await tab.picture("servers-unread-light");

		// The admin panel shows the open server.
		await page.getByRole("button", { name: "Admin panel" }).click();
		await page.getByRole("combobox", { name: "Boosts" }).selectOption("level 1, 10 MB");
		await expect.poll(async () => (await openAdminClient(atelier.origin).state()).guildCount).toBe(2);
		const [, there] = (await userClient.state()).guilds;
		await expect
			.poll(async () => (await openAdminClient(atelier.origin, there?.id).state()).guildSettings.boostLevel)
			.toBe(1);
		expect((await openAdminClient(atelier.origin).state()).guildSettings.boostLevel).toBe(0);
		await page.keyboard.press("Escape");

		// The page returns to the earlier channel, and so does the browser's back button.
		await server(/Atelier Playground/).click();
		await page.getByRole("heading", { level: 2, name: "Atelier Playground" }).waitFor();
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("gallery");
		await page.goBack();
		await page.getByRole("heading", { level: 2, name: "Werkstatt Nord" }).waitFor();
	});

	test("the owner of a guild removes the bot, and adds it again", async () => {
		const { atelier, userClient } = await openAtelier();
		const { users, guilds } = await userClient.state();
		const lena = users.find(({ user }) => user.username === "lena")?.user.id ?? "none";
		const tab = await open(`${atelier.origin}/?user=${lena}&guild=${guilds[1]?.id}`);
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		const members = page.getByRole("complementary", { name: "Members" });
		await members.getByRole("button", { name: "Commands for Atelier" }).click();
		await page.getByRole("menuitem", { name: "Remove from this server" }).click();
		await members.getByText("Atelier is not in this server.").waitFor();
		await page.locator(".example").first().waitFor({ state: "detached" });
		await tab.picture("server-without-bot-dark");
		await expectInOrder(tab);
		await page.emulateMedia({ colorScheme: "light" });
		await expectInOrder(tab);
		await members.getByRole("button", { name: "Add Atelier" }).click();
		await page.locator(".example").first().waitFor();
		expect(await members.getByText("Atelier is not in this server.").count()).toBe(0);
	});

	test("the first few of a thousand guilds are listed, on a phone too", async () => {
		const { atelier } = await openAtelier();
		await openAdminClient(atelier.origin).setGuildCount(1_000);
		const tab = await open(atelier.origin, { width: 360, height: 740 });
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		await page.getByRole("button", { name: "Channels" }).click();
		const rail = page.getByRole("list", { name: "Servers" });
		await page.getByText("+988").waitFor();
		await rail.getByRole("button", { name: "Server 3" }).waitFor();
		expect(await rail.getByRole("button").count()).toBe(12);
		await tab.picture("servers-phone-dark");
		await expectInOrder(tab);
		await rail.getByRole("button", { name: "Server 3" }).click();
		await page.getByRole("heading", { level: 2, name: "Server 3" }).waitFor();
		expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
		await page.emulateMedia({ colorScheme: "light" });
		await expectInOrder(tab);
		await tab.picture("servers-phone-light");
	});

	test("the admin panel moves the clock, injects a fault, sells an item, and shows the verdict on every request", async () => {
		const { atelier } = await openAtelier();
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.getByRole("button", { name: "Admin panel" }).click();
		const log = page.getByRole("list", { name: "Requests of the bot, newest first" });
		await log.getByText("/gateway/bot").first().waitFor();
		await page.getByText(/^\d+ valid, 0 not valid/).waitFor();

		await page.getByRole("button", { name: "Buy 100 credits" }).click();
		await page.getByText("100 credits, not consumed yet").waitFor();
		await page.getByLabel("Bot in #general").selectOption("may not attach files");
		await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("de");
		await page.getByRole("button", { name: "+15 min" }).click();
		await page.getByText(/ s ahead/).waitFor();
		await page.getByRole("combobox", { name: "Fault" }).selectOption("503, Discord is down");
		await page.getByRole("button", { name: "Inject" }).click();
		await page.getByText("any request: error").waitFor();
		await tab.picture("workbench-dark");
		await expectInOrder(tab);
		await page.emulateMedia({ colorScheme: "light" });
		await expectInOrder(tab);
		expect(await openAdminClient(atelier.origin).state()).toMatchObject({
			members: [{ locale: "de" }, {}, {}, {}, {}],
			access: [{ access: "noFiles" }, {}, {}, {}],
			faults: [{ times: 1, answer: { status: 503 } }],
			entitlements: [{ consumed: false }],
		});
		await page.getByRole("button", { name: "Reset everything" }).click();
		await page.getByText("any request: error").waitFor({ state: "detached" });
	});

	test("an admin completes /setup with a menu and a form, and the choices apply", async () => {
		const { atelier, userClient } = await openAtelier();
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		const button = (name: string) => page.locator(".message").getByRole("button", { name });
		await page.locator("#composer-input").focus();
		await page.keyboard.insertText("/setup");
		await page.keyboard.press("Enter");
		await page.keyboard.press("Enter");
		await page.locator(".message").getByText("Step 1 of 5: Channels.").waitFor();
		await button("All channels").click();
		await page.getByRole("option", { name: "#gallery" }).click();
		await page.getByRole("button", { name: "Choose", exact: true }).click();
		await button("All channels: #gallery").waitFor();
		await tab.picture("setup-dark");
		await expectInOrder(tab);

		await button("Next").click();
		await page.locator(".message").getByText("Step 2 of 5: Roles.").waitFor();
		await button("Next").click();
		await button("Set limits").click();
		const form = page.getByRole("dialog");
		await form.getByRole("textbox").first().fill("12");
		await expectInOrder(tab);
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await expect.poll(async () => textOf(await (await userClient.type("/quota show")).until())).toContain("12 credits");
		const refused = await (await userClient.type("/image", { prompt: "a boat" })).until();
		expect(textOf(refused)).toContain("You can't generate in this channel.");
	});

	test("an admin changes a setting in the panel on a phone, with a menu in a form", async () => {
		const { atelier } = await openAtelier();
		const tab = await open(atelier.origin, { width: 390, height: 844, colorScheme: "light" });
		const { page } = tab;
		await page.locator("#composer-input").focus();
		await page.keyboard.insertText("/settings show");
		await page.keyboard.press("Enter");
		const panel = page.locator(".message").last();
		const setting = (name: string) => panel.locator(".section", { hasText: name });
		await panel.getByRole("button", { name: "Results" }).click();
		await setting("Spoilers").getByRole("button", { name: "Change" }).click();
		await panel.getByText("Spoilers: on").waitFor();
		await expectInOrder(tab);
		await tab.picture("panel-phone-light");
		await panel.getByRole("button", { name: "Server", exact: true }).click();
		await setting("Public language").getByRole("button", { name: "Change" }).click();
		const form = page.getByRole("dialog");
		await form.getByLabel("Public language").selectOption({ label: "Deutsch" });
		await expectInOrder(tab);
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await panel.getByText("Public language: Deutsch").waitFor();
		expect(await panel.getByRole("button", { name: "Change" }).count()).toBe(3);
	});

	test("a denied prompt is edited in a form, and its result opens in a thread", async () => {
		const { atelier, userClient } = await openAtelier();
		const [channel] = (await userClient.state()).channels;
		await userClient.type("/filter add", { pattern: "storm" });
		const set = await userClient.type("/settings defaults", { channel: channel?.id ?? "", threads: true });
		await set.until((message) => textOf(message).includes("results go to threads"));
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator("#composer-input").fill("/image prompt: a storm");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: "Edit prompt" }).click();
		const form = page.getByRole("dialog");
		expect(await form.getByRole("textbox").inputValue()).toBe("a storm");
		await expectInOrder(tab);
		await form.getByRole("textbox").fill("a paper boat");
		await form.getByRole("button", { name: "Submit" }).click();
		await page.getByRole("button", { name: "a paper boat", exact: true }).first().click();
		await page.getByRole("heading", { level: 1, name: "a paper boat" }).waitFor();
		await page.locator(".message img").waitFor();
		await expectInOrder(tab);
		await tab.picture("thread-dark");
	});

	test("an admin sets the defaults of a channel on a phone", async () => {
		const { atelier, userClient } = await openAtelier();
		const tab = await open(atelier.origin, { width: 360, height: 740, colorScheme: "light" });
		const { page } = tab;
		await page.locator(".example").first().waitFor();
		const panel = await userClient.type("/settings show");
		await panel.until((message) => textOf(message).includes("**Status**"));
		const message = page.locator(".message").last();
		// The drawer of channels has a button of the same name.
		await message.getByRole("button", { name: "Channels", exact: true }).click();
		await message.getByText("apply unless a member chooses otherwise").waitFor();
		await message.getByRole("button", { name: "Choose a channel…" }).click();
		await page.getByRole("option", { name: "#gallery" }).click();
		const form = page.getByRole("dialog");
		await form.getByLabel("Where results appear").selectOption({ label: "Each in its own thread" });
		await expectInOrder(tab);
		await tab.picture("channel-form-phone");
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await message.getByText("results go to threads").waitFor();
		expect(await message.getByRole("button", { name: "Change" }).count()).toBe(1);
		await expectInOrder(tab);
		await tab.picture("channels-phone");
	});

	test("several images form an album, and a song is playable", async () => {
		const background = await openPlayground();
		const { channels } = await (await background.user()).state();
		const pictures = ["a", "b", "c"].map((name) => ({ name: `${name}.png`, bytes: fakePng(name) }));
		const song = { name: "song.wav", bytes: silence() };
		const path = `/channels/${channels[0]?.id}/messages`;
		await background.rest("POST", path, { content: "an album <t:0:R>" }, { files: [...pictures, song] });
		const tab = await open(background.origin, { colorScheme: "light" });
		const { page } = tab;
		await expect.poll(() => page.locator(".message img").count()).toBe(3);
		await expect.poll(() => page.locator(".message time.timestamp").textContent()).toMatch(/years ago/);
		const seconds = (): Promise<number> =>
			page.locator(".message audio").evaluate((audio) => ("duration" in audio ? Number(audio.duration) : -1));
		await expect.poll(seconds).toBeCloseTo(1);
		await tab.picture("album-light");
		await expectInOrder(tab);
	});

	test("a button still works after a restart of bot and playground, on a page that stayed open", async () => {
		const folder = await createTempFolder();
		const env = { DATA_DIR: folder, STORE_URL: `sqlite:${join(folder, "atelier.db")}` };
		const before = await openAtelier({ env });
		const tab = await open(before.atelier.origin);
		const { page } = tab;
		const said = page.locator(".message");
		await page.locator(".example").first().waitFor();
		await page.locator("#composer-input").focus();
		await page.keyboard.insertText("/image prompt: a boat");
		await page.keyboard.press("Enter");
		await said.getByRole("button", { name: "Regenerate" }).waitFor();
		await before.atelier.stop();

		await page.getByText("This page keeps trying").waitFor();
		const after = await openAtelier({ env: { ...env, PORT: new URL(before.atelier.origin).port } });
		await expect.poll(async () => (await after.userClient.state()).bot.online, { timeout: 60_000 }).toBe(true);
		await page.getByText("This page keeps trying").waitFor({ state: "hidden" });
		await said.getByRole("button", { name: "Regenerate" }).click();
		await expect.poll(() => said.locator("img").count(), { timeout: 60_000 }).toBe(2);
		await tab.picture("after-restart-dark");
		await expectInOrder(tab);
	});

	test("an ephemeral message is visible to its user only, and only a notification looks like one", async () => {
		const background = await openPlayground();
		const bot = await background.bot();
		await background.rest("PUT", `/applications/${background.applicationId}/commands`, [
			{ name: "hi", description: "Says hi" },
		]);
		const { members } = await (await background.user()).state();
		const ada = members[1]?.user.id ?? "none";
		const mine = await open(background.origin);
		const hers = await open(`${background.origin}/?user=${ada}`, { colorScheme: "light" });

		await mine.page.keyboard.type("/hi");
		await mine.page.getByRole("option", { name: /\/hi/ }).waitFor();
		await mine.page.keyboard.press("Enter");
		await mine.page.keyboard.press("Enter");
		const { d } = await bot.gateway.until(({ t }) => t === "INTERACTION_CREATE");
		const interaction = await bot.interaction(String(d["id"]));
		await interaction.callback({ type: 4, data: { content: "for you alone", flags: 64 } });
		const follow = { content: `<@${ada}> look`, allowed_mentions: { parse: [] as string[] } };
		await interaction.webhook("POST", follow, { path: "" });
		await interaction.webhook(
			"POST",
			{ ...follow, content: `<@${ada}> now`, allowed_mentions: { users: [ada] } },
			{ path: "" },
		);

		await mine.page.locator(".paragraph").getByText("for you alone").waitFor();
		await hers.page.locator(".message").getByText("now").waitFor();
		expect(await hers.page.getByText("for you alone").count()).toBe(0);
		const quiet = hers.page.locator(".message", { hasText: "look" });
		const loud = hers.page.locator(".message", { hasText: "now" });
		const rings = (message: typeof loud): Promise<string | null> => message.getAttribute("data-ping");
		expect([await rings(quiet), await rings(loud)]).toStrictEqual([null, ""]);
		await hers.picture("pings-light");
		await expectInOrder(mine);
		await expectInOrder(hers);
	});

	test("a purchase button buys an item and notifies the bot; commands are in the user's language", async () => {
		const background = await openPlayground();
		const bot = await background.bot();
		const userClient = await background.user();
		const { channels, skus, members } = await userClient.state();
		const yuki = members.find(({ locale }) => locale === "ja")?.user.id ?? "none";
		const row = { type: 1, components: [{ type: 2, style: 6, sku_id: skus[0]?.id }] };
		await background.rest("POST", `/channels/${channels[0]?.id}/messages`, { content: "more?", components: [row] });
		await background.rest("PUT", `/applications/${background.applicationId}/commands`, [
			{
				name: "image",
				description: "Makes a picture",
				name_localizations: { ja: "画像" },
				options: [
					{
						type: 3,
						name: "prompt",
						description: "What it shows",
						name_localizations: { ja: "内容" },
						description_localizations: { ja: "何を描くか" },
					},
				],
			},
		]);
		const tab = await open(`${background.origin}/?user=${yuki}`, { colorScheme: "light" });
		await tab.page.getByRole("button", { name: "Buy 100 credits" }).click();
		await tab.page.getByRole("button", { name: "Bought 100 credits" }).waitFor();
		const { d } = await bot.gateway.until(({ t }) => t === "ENTITLEMENT_CREATE");
		expect(d).toMatchObject({ user_id: yuki, sku_id: skus[0]?.id });
		await tab.page.locator("#composer-input").focus();
		await tab.page.keyboard.insertText("/画");
		await tab.page.getByRole("option", { name: /画像/ }).waitFor();
		await tab.page.keyboard.press("Enter");
		await tab.page.getByRole("option", { name: /内容/ }).waitFor();
		await tab.page.keyboard.insertText("内容:");
		await tab.page.getByLabel("内容: 何を描くか").waitFor();
		await tab.page.keyboard.insertText("boat");
		await tab.page.keyboard.press("Enter");
		const typed = await bot.gateway.until(({ t }) => t === "INTERACTION_CREATE");
		const interaction = await bot.interaction(String(typed.d["id"]));
		await interaction.callback({ type: 4, data: { content: "<t:1764590400:D>" } });
		await tab.page.locator(".message time", { hasText: "2025年12月1日" }).waitFor();
		await tab.page.locator(".command-chip", { hasText: "/画像" }).waitFor();
		await expectInOrder(tab);
	});

	test("a menu, a form and a context menu are usable by keyboard", async () => {
		const background = await openPlayground();
		const bot = await background.bot();
		await background.rest("PUT", `/applications/${background.applicationId}/commands`, [{ type: 3, name: "Describe" }]);
		const { channels } = await (await background.user()).state();
		const rows = [
			{ type: 1, components: [{ type: 2, style: 2, label: "Edit", custom_id: "edit" }] },
			{
				type: 1,
				components: [
					{
						type: 3,
						custom_id: "size",
						placeholder: "Size",
						options: ["S", "M"].map((label) => ({ label, value: label })),
					},
				],
			},
		];
		await background.rest("POST", `/channels/${channels[0]?.id}/messages`, { content: "made", components: rows });
		const tab = await open(background.origin);
		const { page } = tab;
		const heard = async (customId: string) => {
			const { d } = await bot.gateway.until(({ d: { data } }) => customIdOf(data) === customId);
			return await bot.interaction(String(d["id"]));
		};

		await page.getByRole("button", { name: "Edit" }).press("Enter");
		const field = { type: 4, custom_id: "prompt", style: 1, label: "Prompt", value: "a boat" };
		const modal = { custom_id: "form", title: "Edit", components: [{ type: 1, components: [field] }] };
		await (await heard("edit")).callback({ type: 9, data: modal });
		const dialog = page.getByRole("dialog", { name: "Edit" });
		await dialog.getByLabel("Prompt").fill("a boat at dawn");
		await tab.picture("form-dark");
		await expectInOrder(tab);
		await dialog.getByLabel("Prompt").press("Enter");
		const sent = await heard("form");
		expect(JSON.stringify(sent.payload)).toContain("a boat at dawn");
		await sent.callback({ type: 4, data: { content: "sent" } });
		await dialog.waitFor({ state: "hidden" });

		await page.getByRole("button", { name: /Size/ }).press("Enter");
		// The first item gets the initial focus.
		await page.locator("[role=option]:focus", { hasText: "S" }).waitFor();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		expect((await heard("size")).payload).toMatchObject({ data: { values: ["M"] } });

		await page
			.locator(".message")
			.first()
			.getByRole("button", { name: /^Commands/ })
			.press("Enter");
		await page.getByRole("menuitem", { name: "Describe" }).press("Enter");
		const { d } = await bot.gateway.until(({ d: { data } }) => JSON.stringify(data ?? {}).includes('"target_id"'));
		expect(d).toMatchObject({ type: 2, data: { name: "Describe" } });
	});
});

/** One second of silence, in 8 bits. */
function silence(): Uint8Array {
	const rate = 8_000;
	const head = Buffer.alloc(44);
	head.write("RIFF", 0);
	head.writeUInt32LE(36 + rate, 4);
	head.write("WAVEfmt ", 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(1, 22);
	head.writeUInt32LE(rate, 24);
	head.writeUInt32LE(rate, 28);
	head.writeUInt16LE(1, 32);
	head.writeUInt16LE(8, 34);
	head.write("data", 36);
	head.writeUInt32LE(rate, 40);
	return Buffer.concat([head, Buffer.alloc(rate, 128)]);
}

function customIdOf(data: unknown): unknown {
	return typeof data === "object" && data !== null && "custom_id" in data ? data.custom_id : undefined;
}
