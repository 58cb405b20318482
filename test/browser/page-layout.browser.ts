/** Focus, panels, the address and the clock of the playground's page in a real browser. */
import { InteractionResponseType, MessageFlags, PermissionFlagsBits } from "discord-api-types/v10";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openPlayground, typed } from "@atelier/playground/testing/setup";
import { expectNoErrors, hasFocus, openTab } from "./browser.ts";

const isInView = (element: Locator) =>
	element.evaluate((node) => {
		const view = node.closest(".scroller")?.getBoundingClientRect();
		const { top, bottom } = node.getBoundingClientRect();
		return view !== undefined && top >= view.top && bottom <= view.bottom;
	});

const DAY_MS = 86_400_000;

test("Escape closes one thing at a time, and the arrow keys move in the menu of users", async () => {
	const playground = await openPlayground();
	await playground.register({ name: "make", description: "Makes it" });
	await playground.send({ content: "a boat" });
	const page = await openTab(playground.origin);
	const panel = page.getByRole("complementary", { name: "Requests" });
	await page.getByRole("button", { name: "Requests" }).click();
	const escape = () => page.keyboard.press("Escape");

	await page.locator(".message").click({ button: "right" });
	await page.getByRole("menuitem", { name: "Reply" }).waitFor();
	await escape();
	await page.getByRole("menuitem").first().waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Create a poll" }).click();
	await escape();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	const userButton = page.getByTitle("Change the user");
	await userButton.click();
	await page.getByRole("menu", { name: "Write as" }).waitFor();
	await userButton.click();
	await page.getByRole("menu").waitFor({ state: "detached" });
	await userButton.click();
	await page.getByRole("menuitemradio", { name: "Robin", checked: true }).waitFor();
	await page.keyboard.press("ArrowDown");
	expect(await page.locator(":focus").textContent()).toContain("Ada");
	await escape();
	await page.locator("#composer-input").fill("/");
	await page.getByRole("option", { name: "/make" }).waitFor();
	await escape();
	expect(await panel.isVisible()).toBe(true);
	await escape();
	await panel.waitFor({ state: "detached" });
});

test("the skip link keeps the connection, and a closed thread leaves the title and the address", async () => {
	const { playground, interaction, user } = await typed();
	const data = { content: "only you", flags: MessageFlags.Ephemeral };
	await interaction.callback({ type: InteractionResponseType.ChannelMessageWithSource, data });
	const page = await openTab(playground.origin);
	await page.getByRole("button", { name: "Dismiss" }).click();
	await page.locator("a.skip").press("Enter");
	expect(await hasFocus(page.locator("#composer-input"))).toBe(true);
	const threadId = await user.startThread("harbor");
	await page.getByRole("button", { name: "harbor", exact: true }).click();
	await expect.poll(() => page.title()).toMatch(/^harbor · /);
	expect(page.url()).toContain(threadId);
	expect(await page.getByText("only you", { exact: true }).count()).toBe(0);
	await playground.setBotPermissions(PermissionFlagsBits.ManageThreads);
	await playground.rest("DELETE", `/channels/${threadId}`);
	await expect.poll(() => page.title()).toMatch(/^#general · /);
	expect(page.url()).not.toContain(threadId);
});

test("links of Discord and mentions lead to messages, channels and commands of the page", async () => {
	const playground = await openPlayground();
	const { rest, guild, channelId } = playground;
	await playground.register({ name: "make", description: "Makes it" });
	const gallery = channelId("gallery");
	const post = async (body: object) =>
		((await rest("POST", `/channels/${gallery}/messages`, body)).body as { id: string }).id;
	const firstId = await post({ content: "the first boat" });
	for (let at = 0; at < 40; at++) await post({ content: `boat ${at}` });
	const url = `https://discord.com/channels/${guild.id}/${gallery}/${firstId}`;
	const row = { type: 1, components: [{ type: 2, style: 5, label: "First", url }] };
	const content = `${url} in <#${gallery}>, then </make:${guild.id}>`;
	await playground.send({ content, components: [row] });
	const page = await openTab(playground.origin);
	const title = page.getByRole("heading", { level: 1 });
	const first = page.locator(".message").getByText("the first boat");
	const goBack = () => page.getByRole("button", { name: "general", exact: true }).click();
	for (const name of [url, "First"]) {
		await page.getByRole("link", { name }).click();
		await expect.poll(() => title.textContent()).toBe("gallery");
		await expect.poll(() => isInView(first)).toBe(true);
		await goBack();
	}
	await page.locator(".message").getByRole("button", { name: "#gallery" }).click();
	await expect.poll(() => title.textContent()).toBe("gallery");
	await expect.poll(() => isInView(page.getByText("boat 39", { exact: true }))).toBe(true);
	await goBack();
	await page.locator(".message").getByRole("button", { name: "/make" }).click();
	await page.getByTitle("Leave this command").waitFor();
	await expectNoErrors(page);
});

test("on a phone, an open panel has the focus, and nothing behind it can be focused", async () => {
	const playground = await openPlayground();
	const page = await openTab(playground.origin, { width: 390, height: 844 });
	for (const name of ["Members", "Requests", "Channels"]) {
		const button = page.getByRole("button", { name, exact: true });
		await button.click();
		await page.locator("[data-drawer]:focus").waitFor();
		expect(await page.locator("main").evaluate((main) => main.inert)).toBe(true);
		await expectNoErrors(page, `phone-${name.toLowerCase()}`);
		await page.keyboard.press("Escape");
		await expect.poll(() => hasFocus(button)).toBe(true);
	}
	expect(await page.locator("main").evaluate((main) => main.inert)).toBe(false);
});

test("times are those of the playground's clock, a day begins at its midnight, and a file can be dropped anywhere", async () => {
	const playground = await openPlayground({ clock: createManualClock(Date.now()) });
	const nowS = Math.floor(playground.clock.nowMs() / 1_000);
	await playground.send({ content: `a boat <t:${nowS}:R>` });
	const page = await openTab(playground.origin);
	await page.locator(".timestamp", { hasText: /now|seconds ago/ }).waitFor();
	await page.getByText("Today").waitFor();
	await playground.admin.advanceClock({ advanceMs: DAY_MS });
	await page.locator(".timestamp", { hasText: "yesterday" }).waitFor();
	await page.getByText("Yesterday", { exact: true }).waitFor();
	const isHandled = await page.evaluate(`(() => {
		const transfer = new DataTransfer();
		transfer.items.add(new File(["x"], "dropped.txt", { type: "text/plain" }));
		const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
		return !document.querySelector(".side").dispatchEvent(drop);
	})()`);
	expect(isHandled).toBe(true);
	await page.getByText("Choose a command that takes a file first").waitFor();
});
