/** Results of the real bot in a real browser. */
import { describe, expect, test } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openAtelier, storeOnDisk } from "../e2e/start-atelier.ts";
import { createBrowser, expectNoErrors } from "./browser.ts";
import { channelIdOf } from "../e2e/members.ts";

const open = createBrowser();

describe("results in a browser", () => {
	test("a new user types /image and sees the image, then plays a video", async () => {
		const { atelier } = await openAtelier({ engine: "sketch" });
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator(".command-card").first().waitFor();
		await expectNoErrors(tab);

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
		await expectNoErrors(tab, "first-image-dark");

		await page.locator("#composer-input").focus();
		// Short and small, because the video is encoded during the test.
		await page.keyboard.insertText("/video prompt: a calm lake duration: 2 resolution: 480p");
		await page.keyboard.press("Enter");
		const video = page.locator(".message video");
		await video.waitFor();
		await video.evaluate(async (element) => {
			if ("play" in element && typeof element.play === "function") await element.play();
		});
		const seconds = (): Promise<number> =>
			video.evaluate((element) => ("currentTime" in element ? Number(element.currentTime) : -1));
		await expect.poll(seconds).toBeGreaterThan(0.2);
		await tab.screenshot("video-dark");

		await page.emulateMedia({ colorScheme: "light" });
		await expectNoErrors(tab, "video-light");
	});

	test("a denied prompt is edited in a form, and its result opens in a thread", async () => {
		const { atelier, userClient } = await openAtelier();
		const channel = await channelIdOf(userClient, "general");
		await userClient.type("/filter add", { pattern: "storm" });
		const set = await userClient.type("/settings defaults", { channel, threads: true });
		await set.until((message) => textOf(message).includes("results go to threads"));
		const tab = await open(atelier.origin);
		const { page } = tab;
		await page.locator("#composer-input").fill("/image prompt: a storm");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: "Edit prompt" }).click();
		const form = page.getByRole("dialog");
		expect(await form.getByRole("textbox").inputValue()).toBe("a storm");
		await expectNoErrors(tab);
		await form.getByRole("textbox").fill("a paper boat");
		await form.getByRole("button", { name: "Submit" }).click();
		await page.getByRole("button", { name: "a paper boat", exact: true }).first().click();
		await page.getByRole("heading", { level: 1, name: "a paper boat" }).waitFor();
		await page.locator(".message img").waitFor();
		await expectNoErrors(tab, "thread-dark");
	});

	test("a button still works after a restart of bot and playground, on a page that stayed open", async () => {
		const env = { ...(await storeOnDisk()), PORT: String(await freePort()) };
		const before = await openAtelier({ env });
		const tab = await open(before.atelier.origin);
		const { page } = tab;
		const messages = page.locator(".message");
		await page.locator(".command-card").first().waitFor();
		await page.locator("#composer-input").focus();
		await page.keyboard.insertText("/image prompt: a boat");
		await page.keyboard.press("Enter");
		await messages.getByRole("button", { name: "Regenerate" }).waitFor();
		await before.atelier.stop();

		await page.getByText("This page keeps trying").waitFor();
		const after = await openAtelier({ env });
		await expect.poll(async () => (await after.userClient.state()).bot.online).toBe(true);
		await page.getByText("This page keeps trying").waitFor({ state: "hidden" });
		await messages.getByRole("button", { name: "Regenerate" }).click();
		await expect.poll(() => messages.locator("img").count()).toBe(2);
		await expectNoErrors(tab, "after-restart-dark");
	});
});
