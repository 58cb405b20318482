/** The settings of the real bot in a real browser. */
import { describe, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openAtelier } from "../e2e/start-atelier.ts";
import { createBrowser, expectNoErrors } from "./browser.ts";

const open = createBrowser();

describe("settings in a browser", () => {
	test("an admin uses a menu and a form of /setup, and the choices apply", async () => {
		const { atelier, userClient } = await openAtelier();
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator(".command-card").first().waitFor();
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
		await expectNoErrors(tab, "setup-dark");

		await button("Next").click();
		await page.locator(".message").getByText("Step 2 of 5: Roles.").waitFor();
		await button("Next").click();
		await button("Set limits").click();
		const form = page.getByRole("dialog");
		await form.getByRole("textbox").first().fill("12");
		await expectNoErrors(tab);
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await expect.poll(async () => textOf(await (await userClient.type("/quota show")).until())).toContain("12 credits");
		const denied = await (await userClient.type("/image", { prompt: "a boat" })).until();
		expect(textOf(denied)).toContain("You can't generate in this channel.");
	});

	test("an admin changes settings in the panel on a phone, with a button and with a menu in a form", async () => {
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
		await expectNoErrors(tab, "panel-phone-light");
		await panel.getByRole("button", { name: "Server", exact: true }).click();
		await setting("Public language").getByRole("button", { name: "Change" }).click();
		const form = page.getByRole("dialog");
		await form.getByLabel("Public language").selectOption({ label: "Deutsch" });
		await expectNoErrors(tab);
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await panel.getByText("Public language: Deutsch").waitFor();
		expect(await panel.getByRole("button", { name: "Change" }).count()).toBe(3);
	});

	test("an admin sets the defaults of a channel on a phone", async () => {
		const { atelier, userClient } = await openAtelier();
		const tab = await open(atelier.origin, { width: 360, height: 740, colorScheme: "light" });
		const { page } = tab;
		await page.locator(".command-card").first().waitFor();
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
		await expectNoErrors(tab, "channel-form-phone");
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await message.getByText("results go to threads").waitFor();
		expect(await message.getByRole("button", { name: "Change" }).count()).toBe(1);
		await expectNoErrors(tab, "channels-phone");
	});
});
