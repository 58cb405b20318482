/** The page of the playground in a real browser. */
import {
	ApplicationCommandType,
	ButtonStyle,
	ComponentType,
	InteractionResponseType,
	InteractionType,
	TextInputStyle,
} from "discord-api-types/v10";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "../e2e/start-atelier.ts";
import { wav } from "@atelier/common/testing/wav-and-mp4-head";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { openPlayground, typed as typeCommand } from "@atelier/playground/testing/setup";
import { expectNoErrors, openTab } from "./browser.ts";

const row = (component: object) => ({ type: ComponentType.ActionRow, components: [component] });

test("the admin panel moves the clock, injects a fault, and sells an item", async () => {
	const { atelier } = await openAtelier();
	const page = await openTab(atelier.origin);
	const members = page.getByRole("complementary", { name: "Members" });
	await page.getByRole("button", { name: "Members" }).click();
	await members.waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Admin panel" }).click();
	await page.getByRole("button", { name: "Buy 100 credits" }).click();
	await page.getByText("100 credits, not consumed yet").waitFor();
	await page.getByLabel("Attach Files").last().selectOption("denied");
	await page.getByRole("combobox", { name: "Language", exact: true }).press("G");
	await page.getByRole("button", { name: "+15 min" }).click();
	await page.getByText(/ s ahead/).waitFor();
	await page.getByRole("combobox", { name: "Fault" }).selectOption("503, Discord is down");
	const times = page.getByLabel("Times");
	const inject = page.getByRole("button", { name: "Inject" });
	await times.fill("2000");
	await inject.click();
	await times.fill("1");
	await inject.click();
	await page.getByText('{"times":1,"answer":{"kind":"error","status":503,"code":0}}').waitFor();
	await page.getByRole("button", { name: "Drop the next interaction" }).click();
	await page.getByText('{"act":"drop","event":"INTERACTION_CREATE","times":1}').waitFor();
	await page.getByRole("button", { name: "Clear all" }).click();
	await page.getByText('"act":"drop"').waitFor({ state: "detached" });
	await inject.click();
	await page.getByText('"status":503').waitFor();
	await expectNoErrors(page, "admin-panel-dark");
	await page.emulateMedia({ colorScheme: "light" });
	await expectNoErrors(page);
	expect(await openAdminClient(atelier.origin).state()).toMatchObject({
		members: [{ locale: "de" }, {}, {}, {}, {}],
		overwrites: [{ overwrites: [{ deny: String(1 << 15) }] }, {}, {}, {}],
		faults: [{ times: 1, answer: { status: 503 } }],
		entitlements: [{ consumed: false }],
	});
	await page.getByRole("button", { name: "Reset settings and faults" }).click();
	await page.getByText('"status":503').waitFor({ state: "detached" });
	await page.keyboard.press("Escape");
	await page.getByRole("complementary").waitFor({ state: "detached" });
});

test.each([
	{ width: 1280, height: 800, colorScheme: "dark" },
	{ width: 390, height: 780, colorScheme: "light" },
] as const)(
	"the panel of requests filters, opens one with its errors, and copies it, at $width px",
	async (options) => {
		const playground = await openPlayground();
		await typeCommand({ playground });
		const path = `${await playground.channel()}/messages`;
		await playground.rest("POST", path, { content: "hello", embeds: [{ title: "x".repeat(257) }] });
		await playground.rest("POST", path, { content: "hello" }, { files: [{ name: "a.txt", bytes: Buffer.alloc(3) }] });
		const page = await openTab(playground.origin, options);
		await page.getByRole("button", { name: "Requests" }).click();
		const log = page.getByRole("list", { name: "Requests of the bot, newest first" });
		await page.getByText(/^\d+ valid, 1 not valid/).waitFor();
		await log.getByRole("button", { name: "INTERACTION_CREATE sent to the bot" }).waitFor();
		await expectNoErrors(page, `requests-${options.width}`);

		await page.getByRole("combobox", { name: "Verdict" }).selectOption("Not valid");
		expect(await log.getByRole("button").count()).toBe(1);
		await log.getByRole("button").focus();
		await page.keyboard.press("Enter");
		await log.getByText("embeds.0.title: Must be 256 or fewer in length.").first().waitFor();
		await page.getByRole("group", { name: "Response" }).getByText('"code": 50035').waitFor();
		await expectNoErrors(page, `request-${options.width}`);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await page.getByRole("button", { name: "Copy as curl" }).click();
		await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl -X POST .*\n.*\$BOT_TOKEN/);
		await page.getByRole("alert").getByText("Copied").waitFor();
		await page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })");
		await page.getByRole("button", { name: "Copy as curl" }).click();
		await page.getByRole("alert").getByText("Copying needs HTTPS or localhost.").waitFor();

		await page.getByRole("combobox", { name: "Verdict" }).selectOption("Any verdict");
		await page.getByRole("combobox", { name: "Kind" }).selectOption("Packets from the bot");
		await log.getByRole("button", { name: "IDENTIFY" }).click();
		await page.getByText('"token": "[redacted]"').waitFor();
		await page.getByRole("combobox", { name: "Kind" }).selectOption("Everything");
		await page.getByRole("searchbox", { name: "Filter" }).fill("a.txt");
		await log.getByText("POST").waitFor();
		expect(await log.getByRole("button", { expanded: false }).count()).toBe(1);
	},
);

test("several images form an album, and a song stops the one before", async () => {
	const playground = await openPlayground();
	const { channels } = await (await playground.user()).state();
	const images = ["a", "b", "c"].map((name) => ({ name: `${name}.png`, bytes: fakePng(name) }));
	const songs = ["one", "two"].map((name) => ({ name: `${name}.wav`, bytes: wav(10) }));
	const path = `/channels/${channels[0]?.id}/messages`;
	await playground.rest("POST", path, { content: "an album <t:0:R>" }, { files: [...images, ...songs] });
	const page = await openTab(playground.origin, { colorScheme: "light" });
	await expect.poll(() => page.locator(".message img").count()).toBe(3);
	await expect.poll(() => page.locator(".message time.timestamp").textContent()).toMatch(/years ago/);
	await page.evaluate("(async () => { for (const song of document.querySelectorAll('audio')) await song.play(); })()");
	const paused = () => page.evaluate("[...document.querySelectorAll('audio')].map((song) => song.paused)");
	await expect.poll(paused).toStrictEqual([true, false]);
	await expectNoErrors(page, "album-light");
});

test("a purchase button buys an item and notifies the bot", async () => {
	const playground = await openPlayground();
	const bot = await playground.bot();
	const { channels, skus } = await (await playground.user()).state();
	const buyButton = { type: ComponentType.Button, style: ButtonStyle.Premium, sku_id: skus[0]?.id };
	const message = { content: "more?", components: [row(buyButton)] };
	await playground.rest("POST", `/channels/${channels[0]?.id}/messages`, message);
	const page = await openTab(playground.origin);
	await page.getByRole("button", { name: "Buy 100 credits" }).click();
	await page.getByRole("button", { name: "Bought 100 credits" }).waitFor();
	const { d } = await bot.gateway.until(({ t }) => t === "ENTITLEMENT_CREATE");
	expect(d).toMatchObject({ sku_id: skus[0]?.id });
});

test("a menu, a form and a context menu are usable by keyboard", async () => {
	const playground = await openPlayground();
	const bot = await playground.bot();
	await playground.register({ type: ApplicationCommandType.Message, name: "Describe" });
	const { channels } = await (await playground.user()).state();
	const sizes = ["S", "M"].map((label) => ({ label, value: label }));
	const rows = [
		row({ type: ComponentType.Button, style: ButtonStyle.Secondary, label: "Edit", custom_id: "edit" }),
		row({ type: ComponentType.StringSelect, custom_id: "size", placeholder: "Size", options: sizes }),
		row({ type: ComponentType.RoleSelect, custom_id: "roles", placeholder: "Roles", max_values: 2 }),
	];
	await playground.rest("POST", `/channels/${channels[0]?.id}/messages`, { content: "made", components: rows });
	const page = await openTab(playground.origin);
	const interactionOf = async (customId: string) => {
		const { d } = await bot.gateway.until(({ d: { data } }) => customIdOf(data) === customId);
		return await bot.interaction(String(d["id"]));
	};

	await page.getByRole("button", { name: "Edit" }).press("Enter");
	const text = { type: ComponentType.TextInput, style: TextInputStyle.Short, label: "Prompt", value: "a boat" };
	const modal = { custom_id: "form", title: "Edit", components: [row({ ...text, custom_id: "prompt" })] };
	await (await interactionOf("edit")).callback({ type: InteractionResponseType.Modal, data: modal });
	const dialog = page.getByRole("dialog", { name: "Edit" });
	await dialog.getByLabel("Prompt").fill("a boat at dawn");
	await expectNoErrors(page, "form-dark");
	await dialog.getByLabel("Prompt").press("Enter");
	const sent = await interactionOf("form");
	expect(JSON.stringify(sent.payload)).toContain("a boat at dawn");
	await sent.callback({ type: InteractionResponseType.ChannelMessageWithSource, data: { content: "sent" } });
	await dialog.waitFor({ state: "hidden" });

	await page.getByRole("button", { name: /Size/ }).press("Enter");
	// The first item gets the initial focus.
	await page.locator("[role=menuitemradio]:focus", { hasText: "S" }).waitFor();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	const chosen = await interactionOf("size");
	expect(chosen.payload).toMatchObject({ data: { values: ["M"] } });
	await chosen.callback({ type: InteractionResponseType.DeferredMessageUpdate });
	await page.locator("button[aria-busy]").waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Size: M" }).press("Enter");
	await page.locator("[role=menuitemradio]:focus", { hasText: "M" }).waitFor();
	await page.keyboard.press("Escape");

	await page.getByRole("button", { name: "Roles" }).click();
	await expectNoErrors(page, "select-form-dark");
	await page.getByLabel("@Artists").check();
	await page.getByLabel("@Patrons").check();
	await page.getByRole("button", { name: "Choose", exact: true }).click();
	await page.getByRole("button", { name: "Roles: @Artists, @Patrons" }).waitFor();
	const { payload } = await interactionOf("roles");
	expect(payload).toMatchObject({ data: { values: [expect.any(String), expect.any(String)] } });

	// Typing after a press types into the composer.
	await page.getByRole("button", { name: "Edit" }).focus();
	await page.keyboard.type("hello");
	expect(await page.locator("#composer-input").inputValue()).toBe("hello");

	await page
		.locator(".message")
		.first()
		.getByRole("button", { name: /^Actions for/ })
		.press("Enter");
	await page.getByRole("menuitem", { name: "Describe" }).press("Enter");
	const { d } = await bot.gateway.until(({ d: { data } }) => JSON.stringify(data ?? {}).includes('"target_id"'));
	expect(d).toMatchObject({ type: InteractionType.ApplicationCommand, data: { name: "Describe" } });
});

function customIdOf(data: unknown): unknown {
	return typeof data === "object" && data !== null && "custom_id" in data ? data.custom_id : undefined;
}
