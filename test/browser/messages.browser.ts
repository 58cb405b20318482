/** Plain messages on the page of the playground in a real browser. */
import { GatewayIntentBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openPlayground } from "@atelier/playground/testing/setup";
import { createBrowser, expectNoErrors, findChromium } from "./browser.ts";

const executablePath = findChromium();
const INTENTS = GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

describe.skipIf(executablePath === undefined)("messages in a browser", { timeout: 150_000 }, () => {
	const open = createBrowser(executablePath);

	test("a member writes, replies from the menu of a message, and deletes an own message", async () => {
		const playground = await openPlayground();
		const bot = await playground.bot({ intents: INTENTS });
		const ada = await playground.userNamed("ada");
		const question = await ada.say("Where is the **boat**?");
		const tab = await open(playground.origin, { colorScheme: "light" });
		const { page } = tab;
		const composer = page.locator("#composer-input");
		await page.getByText("Where is the boat?").waitFor();

		await page.getByText("Where is the boat?").click({ button: "right" });
		await page.getByRole("menuitem", { name: "Reply" }).click();
		await page.getByText("Replying to Ada").waitFor();
		await expectNoErrors(tab);
		await composer.fill("In the harbor");
		await tab.screenshot("reply-light");
		await composer.press("Enter");
		await page.locator(".message").getByText("In the harbor").waitFor();
		expect(await composer.inputValue()).toBe("");
		const { d: reply } = await bot.gateway.until(
			({ t, d }) => t === "MESSAGE_CREATE" && d["content"] === "In the harbor",
		);
		expect(reply).toMatchObject({ message_reference: { message_id: question.id }, author: { username: "robin" } });

		await composer.fill("/nothing");
		await composer.press("Enter");
		await page.getByRole("alert").getByText("There is no command /nothing here").waitFor();
		await composer.fill("");

		await ada.react(question, "⛵");
		const joined = page.getByRole("button", { name: "⛵, 1 reaction", pressed: false });
		await joined.click();
		await page.getByRole("button", { name: "⛵, 2 reactions", pressed: true }).waitFor();
		await page.locator(".message").getByText("Where is the boat?").first().click({ button: "right" });
		await page.getByRole("menuitem", { name: "React with 🎉" }).click();
		await page.getByRole("button", { name: "🎉, 1 reaction", pressed: true }).waitFor();
		await expectNoErrors(tab);
		await tab.screenshot("reactions-light");
		await page.getByRole("button", { name: "⛵, 2 reactions" }).click();
		await joined.waitFor();

		await page.locator(".message").getByText("In the harbor").click({ button: "right" });
		await page.getByRole("menuitem", { name: "Delete message" }).click();
		await bot.gateway.until(({ t, d }) => t === "MESSAGE_DELETE" && d["id"] === reply["id"]);
		await page.locator(".message").getByText("In the harbor").waitFor({ state: "detached" });
		await expectNoErrors(tab);
	});
});
