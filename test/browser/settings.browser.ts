/** The settings of the real bot in a real browser. */
import { describe, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openAtelier } from "../e2e/start-atelier.ts";
import { createBrowser, expectNoErrors } from "./browser.ts";

const open = createBrowser();

describe("settings in a browser", () => {
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

	test("an admin is guided through the four steps of /setup", async () => {
		const { atelier } = await openAtelier();
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator("#composer-input").focus();
		await page.keyboard.insertText("/setup");
		await page.keyboard.press("Enter");
		const card = page.locator(".message").last();
		const form = page.getByRole("dialog");
		const goTo = async (step: string) => {
			await card.getByRole("button", { name: "Next" }).click();
			await card.getByText(`Step ${step}`).waitFor();
		};
		await card.getByText("Step 1 of 4: Channels").waitFor();
		await goTo("2 of 4: Roles");
		await goTo("3 of 4: Limits");
		await card.locator(".section", { hasText: "Member limit" }).getByRole("button", { name: "Change" }).click();
		await form.getByLabel("Member limit").fill("12");
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await card.getByText("Member limit: 12 credits per").waitFor();
		await goTo("4 of 4: Logs");
		// The last step also sums up the limits.
		await card.getByText("Member limit: 12 credits per").waitFor();
		await card.getByText("Limits by media type: none").waitFor();
		expect(await card.getByRole("button", { name: "Next" }).count()).toBe(0);
		await expectNoErrors(tab, "setup");
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
		await form.getByLabel("Where results appear").selectOption({ label: "each in its own thread" });
		await expectNoErrors(tab, "channel-form-phone");
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
		await message.getByText("results go to threads").waitFor();
		expect(await message.getByRole("button", { name: "Change" }).count()).toBe(1);
		await expectNoErrors(tab, "channels-phone");
	});
});
