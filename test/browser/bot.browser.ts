/** The real bot on the page of the playground in a real browser. */
import { expect, test } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openAtelier, storeOnDisk, channelIdOf } from "../e2e/start-atelier.ts";
import { expectNoErrors, openTab, screenshot, sendCommand } from "./browser.ts";

test("a new user types /image and sees the image, then plays a video", async () => {
	const { atelier } = await openAtelier({ engine: "sketch" });
	const page = await openTab(atelier.origin);
	await page.locator(".command-card").first().waitFor();
	await expectNoErrors(page);

	await page.keyboard.type("/image");
	await page.getByRole("option", { name: /\/image/ }).waitFor();
	await page.keyboard.press("Enter");
	await page.keyboard.type("a lighthouse in a storm");
	await page.keyboard.press("Enter");
	const image = page.locator(".message img");
	await image.waitFor();
	const isDrawn = (): Promise<boolean> =>
		image.evaluate((element) => "naturalWidth" in element && Number(element.naturalWidth) > 500);
	await expect.poll(isDrawn).toBe(true);
	expect(await image.getAttribute("alt")).toContain("a lighthouse in a storm");
	const notice = page.getByText("Images, videos and music are procedural art, not AI.").filter({ visible: true });
	await notice.waitFor();
	await expectNoErrors(page, "first-image-dark");

	// Short and small, because the video is encoded during the test.
	await sendCommand(page, "/video prompt: a calm lake duration: 2 resolution: 480p");
	const video = page.locator(".message video");
	await video.waitFor();
	await video.evaluate(async (element) => {
		if ("play" in element && typeof element.play === "function") await element.play();
	});
	const seconds = (): Promise<number> =>
		video.evaluate((element) => ("currentTime" in element ? Number(element.currentTime) : -1));
	await expect.poll(seconds).toBeGreaterThan(0.2);
	await screenshot(page, "video-dark");

	await page.emulateMedia({ colorScheme: "light" });
	await expectNoErrors(page, "video-light");
	await page.setViewportSize({ width: 390, height: 780 });
	await notice.waitFor();
	await expectNoErrors(page);
});

test("a denied prompt is edited in a form, and its result opens in a thread", async () => {
	const { atelier, userClient } = await openAtelier();
	const channel = await channelIdOf(userClient, "general");
	await userClient.type("/filter add", { pattern: "storm" });
	const set = await userClient.type("/settings defaults", { channel, threads: true });
	await set.until((message) => textOf(message).includes("results go to threads"));
	const page = await openTab(atelier.origin);
	await sendCommand(page, "/image prompt: a storm");
	await page.getByRole("button", { name: "Edit prompt" }).click();
	const form = page.getByRole("dialog");
	expect(await form.getByRole("textbox").inputValue()).toBe("a storm");
	await expectNoErrors(page);
	await form.getByRole("textbox").fill("a paper boat");
	await form.getByRole("button", { name: "Submit" }).click();
	await page.getByRole("button", { name: "a paper boat", exact: true }).first().click();
	await page.getByRole("heading", { level: 1, name: "a paper boat" }).waitFor();
	await page.locator(".message img").waitFor();
	await expectNoErrors(page, "thread-dark");
});

test("a button still works after a restart of bot and playground, on a page that stayed open", async () => {
	const env = { ...(await storeOnDisk()), PORT: String(await freePort()) };
	const before = await openAtelier({ env });
	const page = await openTab(before.atelier.origin);
	const messages = page.locator(".message");
	await page.locator(".command-card").first().waitFor();
	await sendCommand(page, "/image prompt: a boat");
	await messages.getByRole("button", { name: "Regenerate" }).waitFor();
	await page.getByRole("button", { name: "Requests" }).click();
	await page.getByRole("searchbox", { name: "Filter" }).fill("INTERACTION_CREATE");
	const loggedInteractions = page.getByRole("list", { name: "Requests of the bot" }).getByRole("listitem");
	await expect.poll(() => loggedInteractions.count()).toBe(1);
	await before.atelier.stop();

	await page.getByText("This page keeps trying").waitFor();
	const after = await openAtelier({ env });
	await expect.poll(async () => (await after.userClient.state()).bot.online).toBe(true);
	await page.getByText("This page keeps trying").waitFor({ state: "hidden" });
	await expect.poll(() => loggedInteractions.count()).toBe(0);
	await messages.getByRole("button", { name: "Regenerate" }).click();
	await expect.poll(() => loggedInteractions.count()).toBe(1);
	await expect.poll(() => messages.locator("img").count()).toBe(2);
	await expectNoErrors(page, "after-restart-dark");
});

test("an admin changes settings in the panel on a phone, with a button, menus and forms", async () => {
	const { atelier } = await openAtelier();
	const page = await openTab(atelier.origin, { width: 360, height: 740, colorScheme: "light" });
	await sendCommand(page, "/settings show");
	const panel = page.locator(".message").last();
	const setting = (name: string) => panel.locator(".section", { hasText: name });
	const form = page.getByRole("dialog");
	const submit = async (): Promise<void> => {
		await expectNoErrors(page);
		await form.getByRole("button", { name: "Submit" }).click();
		await form.waitFor({ state: "hidden" });
	};
	await panel.getByRole("button", { name: "Results" }).click();
	await setting("Spoilers").getByRole("button", { name: "Turn on" }).click();
	await panel.getByText("Spoilers: on").waitFor();
	await expectNoErrors(page, "panel-phone-light");
	await panel.getByRole("button", { name: "Server", exact: true }).click();
	await setting("Public language").getByRole("button", { name: "Change" }).click();
	await form.getByLabel("Public language").selectOption({ label: "Deutsch" });
	await submit();
	await panel.getByText("Public language: Deutsch").waitFor();
	expect(await panel.getByRole("button", { name: "Change" }).count()).toBe(3);
});
