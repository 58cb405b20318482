/** Forms of the dashboard in a real browser, with the real bot. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@atelier/playground/user-client/message-contents";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAtelierWithMembers } from "../e2e/start-atelier.ts";
import { openDashboards } from "../e2e/dashboard-setup.ts";
import { answerTo, answerToImage } from "../e2e/replies.ts";
import { expectNoErrors, hasFocus, screenshot } from "./browser.ts";
import {
	changeResponses,
	openAdminPage,
	openPage,
	openServer,
	PHONE,
	returnToTab,
	save,
	untilLoaded,
} from "./dashboard-tab.ts";

const DESKTOP = { width: 1280, height: 800, colorScheme: "dark" } as const;

async function resize(page: Page, { colorScheme, ...size }: typeof DESKTOP | typeof PHONE): Promise<void> {
	await page.setViewportSize(size);
	await page.emulateMedia({ colorScheme });
}

/** Checks a page that is open on a phone, there and on a desktop. */
async function expectNoErrorsAtBothWidths(page: Page, screenshotName: string): Promise<void> {
	await expectNoErrors(page, `${screenshotName}-phone`);
	await resize(page, DESKTOP);
	await expectNoErrors(page, screenshotName);
	await resize(page, PHONE);
}

test("an admin finds a member's result in the gallery, and deletes it", async () => {
	const { atelier, ada, grace } = await openAtelierWithMembers();
	await answerToImage(ada);
	await answerTo(grace, "/image", { prompt: "a quiet harbor" });
	await answerTo(ada, "/image", { prompt: "a secret", private: true });
	const page = await openServer(atelier.origin, "Robin", PHONE);
	await openPage(page, "Jobs");
	const tiles = page.locator(".job-tile");
	await tiles.nth(2).waitFor();
	const image = page.getByRole("img", { name: "a quiet harbor" });
	// The preview is the file itself.
	await expect
		.poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
		.toBeGreaterThan(0);
	expect(await page.getByText("a secret").count()).toBe(0);
	await expectNoErrorsAtBothWidths(page, "dashboard-gallery");

	// A phone folds the filters.
	await page.getByRole("button", { name: "Filters", expanded: false }).click();
	const member = page.getByRole("combobox", { name: "Member" });
	await member.fill("gra");
	await page.getByRole("option", { name: "Grace" }).waitFor();
	await expectNoErrorsAtBothWidths(page, "dashboard-member-search");
	// The key belongs to an input method.
	await member.dispatchEvent("keydown", { key: "ArrowDown", keyCode: 229, bubbles: true });
	expect(await member.getAttribute("aria-activedescendant")).toBeNull();
	await member.press("ArrowDown");
	await member.press("Enter");
	await untilLoaded(page);
	await expect.poll(() => tiles.count()).toBe(1);
	const remove = page.getByRole("button", { name: "Remove Grace" });
	expect(await hasFocus(remove)).toBe(true);
	await remove.press("Enter");
	await member.waitFor();
	expect(await hasFocus(member)).toBe(true);
	await page
		.getByRole("button", { name: /Delete/ })
		.nth(1)
		.waitFor();
	await member.fill("gra");
	await page.getByRole("option", { name: "Grace" }).click();
	await expect.poll(() => tiles.count()).toBe(1);
	await page.getByRole("button", { name: /Delete/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await page.getByText("Deleted.").first().waitFor();
	await expect.poll(() => image.count()).toBe(0);
	const texts = (await grace.messages()).map((message) => textOf(message));
	expect(texts.filter((text) => text.includes("a quiet harbor"))).toEqual([]);
	await expectNoErrors(page);
});

test("a preview that an admin opens has the focus, also after the list is read again", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await answerToImage(ada);
	const JOBS = /\/api\/.*\/jobs(\?|$)/;
	let part: object = { files: 0 };
	await changeResponses(page, JOBS, (jobs) => ({
		...jobs,
		items: (jobs as { items: object[] }).items.map((job) => ({ ...job, ...part })),
	}));
	await openPage(page, "Jobs");
	await page.getByText("a boat").waitFor();
	part = { isSpoiler: true };
	await returnToTab(page);
	await page.getByRole("button", { name: "Spoiler" }).click();
	expect(await hasFocus(page.locator("div.preview"))).toBe(true);
	part = { mediaType: "music" };
	await page.route(/\/preview$/, () => {});
	await openPage(page, "Overview");
	await openPage(page, "Jobs");
	await page.getByRole("button", { name: "Play" }).click();
	const player = page.locator("audio[aria-label='a boat']");
	expect(await hasFocus(player)).toBe(true);
	const filter = page.getByLabel("Model");
	await filter.focus();
	await returnToTab(page);
	await untilLoaded(page);
	expect(await hasFocus(filter)).toBe(true);
});

test("an admin who chooses a channel where the bot cannot post reads at the field what to do", async () => {
	const { page } = await openAdminPage("Settings", PHONE);
	const field = page.getByLabel("Report channel");
	await field.selectOption({ label: "#notices" });
	await page.getByRole("button", { name: "Save" }).click();
	const error = page.locator(".field-error");
	await error.getByText("The bot can't post in #notices").waitFor();
	expect(await field.getAttribute("aria-describedby")).toContain(await error.getAttribute("id"));
	await field.scrollIntoViewIfNeeded();
	await expectNoErrorsAtBothWidths(page, "dashboard-denied-channel");
	await field.selectOption({ label: "#gallery" });
	await error.waitFor({ state: "detached" });
	await save(page);
	await expectNoErrors(page);
});

test("an admin adds a style with a model, sees its preview, and a member can use it", async () => {
	const { page, ada } = await openAdminPage("Settings", PHONE);
	const form = page.getByRole("group", { name: "New style" });
	const add = form.getByRole("button", { name: "Add" });
	await add.click();
	await form.getByText("Enter a new name, and words or options.").waitFor();
	await form.getByLabel("Name", { exact: true }).fill("Ink");
	await form.getByLabel("Words").fill("black ink, loose lines");
	await form.getByLabel("Type").selectOption("video");
	await form.getByLabel("Duration").fill("soon");
	await add.click();
	await form.getByText(/Enter a whole number/).waitFor();
	// The form is no setting: its values do not keep the others from being saved.
	expect(await page.getByRole("button", { name: "Save" }).isVisible()).toBe(false);
	await form.getByLabel("Type").selectOption("image");
	await form.getByLabel("Aspect ratio").selectOption("16:9");
	await form.getByText("a lighthouse at dusk, black ink, loose lines").waitFor();
	await form.getByText("Aspect ratio: 16:9").waitFor();
	await form.scrollIntoViewIfNeeded();
	await expectNoErrorsAtBothWidths(page, "dashboard-style");
	await add.click();
	const added = page.getByRole("group", { name: "Ink", exact: true });
	await added.getByText("Edit").click();
	await added.getByLabel("Words").fill("blue ink");
	await added.getByText("a lighthouse at dusk, blue ink").waitFor();
	await save(page);
	await expectNoErrors(page);
	await added.scrollIntoViewIfNeeded();
	await screenshot(page, "dashboard-style-saved");
	expect(await answerTo(ada, "/style list")).toContain("16\\:9");
	expect(await answerTo(ada, "/image", { prompt: "a boat", style: "Ink" })).toContain("blue ink");
});

test("an admin imports the settings of a file after reading what would change", async () => {
	const { page, owner } = await openAdminPage("Overview", PHONE);
	await answerTo(owner, "/filter add", { pattern: "dragon*" });
	await openPage(page, "Settings");
	const downloading = page.waitForEvent("download");
	await page.getByRole("link", { name: "Export" }).click();
	const exported = await readFile(await (await downloading).path(), "utf8");
	const file = join(await createTempFolder(), "settings.json");
	await writeFile(file, exported.replace("dragon*", "unicorn").replace('"pings": "ask"', '"pings": "never"'));
	await page.locator("input[type=file]").setInputFiles(file);
	const dialog = page.getByRole("dialog");
	await dialog.getByText("2 settings will change:").waitFor();
	await dialog.getByText("unicorn").waitFor();
	await expectNoErrorsAtBothWidths(page, "dashboard-import");
	await dialog.getByRole("button", { name: "Import" }).click();
	await page.getByText("Settings imported.").first().waitFor();
	expect(await answerTo(owner, "/filter list")).toContain("unicorn");
	await writeFile(file, exported);
	await page.locator("input[type=file]").setInputFiles(file);
	await dialog.getByText("2 settings will change:").waitFor();
	await answerTo(owner, "/settings general", { confirm_above: 20 });
	await dialog.getByRole("button", { name: "Import" }).click();
	await dialog.getByText("so nothing was saved.").waitFor();
	await dialog.getByText("3 settings will change:").waitFor();
	await dialog.getByRole("button", { name: "Import" }).click();
	await dialog.waitFor({ state: "detached" });
	expect(await answerTo(owner, "/filter list")).toContain("dragon");
	await writeFile(file, " ".repeat(1024 * 1024 + 1));
	await page.locator("input[type=file]").setInputFiles(file);
	await page.getByRole("alert").getByText("That file is larger than 1,024 KiB.").waitFor();
	await writeFile(file, "not a file of settings");
	await page.locator("input[type=file]").setInputFiles(file);
	await page.getByRole("alert").getByText("That file isn't JSON").waitFor();
	await expectNoErrors(page);
});

test("a form names what is missing at its fields and moves the focus there, and a full list takes no more", async () => {
	const { origin, call, params } = await openDashboards();
	const { body } = await call("settings", { params });
	const patterns = Array.from({ length: 99 }, (_, count) => `word${count}`);
	await call("saveSettings", { params, body: { ...body, settings: { ...body.settings, filter: { patterns } } } });
	const page = await openServer(origin, "Robin", PHONE);
	await openPage(page, "Moderation");
	await page.getByRole("button", { name: "Block" }).click();
	const member = page.getByRole("combobox", { name: "Member" });
	await page.getByText("Choose a member from the list, or enter a member ID.").waitFor();
	await page.getByText("Enter 1 to 200 characters.").waitFor();
	expect(await hasFocus(member)).toBe(true);
	await expectNoErrorsAtBothWidths(page, "dashboard-block");
	await member.fill("ada");
	await page.getByRole("option", { name: "Ada" }).click();
	await page.getByLabel("Reason").fill("spam");
	await page.getByLabel("Reason").press("Enter");
	await page.getByRole("button", { name: "Unblock" }).waitFor();

	await page.locator("form", { hasText: "Add word" }).getByRole("button").click();
	await page.getByText("Enter 1 to 64 characters.").waitFor();
	await page.getByRole("button", { name: "Test" }).click();
	await page.getByText("Enter 1 to 2,000 characters.").waitFor();
	const word = page.getByLabel("Add word");
	await word.fill("word99");
	await word.press("Enter");
	const full = page.getByRole("alert").getByText("This list is full, with 100 entries. Remove one to add another.");
	await full.waitFor();
	expect(await word.count()).toBe(0);
	await expectNoErrorsAtBothWidths(page, "dashboard-full-list");
	await save(page);
	await page.getByRole("button", { name: "Remove word0" }).click();
	await word.waitFor();
});

test("a block until a time that has passed since it was typed says so", async () => {
	const { page } = await openAdminPage("Moderation");
	await page.getByRole("combobox", { name: "Member" }).fill("ada");
	await page.getByRole("option", { name: "Ada" }).click();
	await page.getByLabel("Reason").fill("spam");
	await page.clock.setFixedTime("2026-11-20T12:00:00");
	await page.getByLabel("Duration").selectOption("date");
	await page.getByLabel("Blocked until").fill("2026-11-20T12:01");
	await page.clock.setFixedTime("2026-11-20T12:02:00");
	await page.getByRole("button", { name: "Block" }).click();
	const error = page.getByRole("alert").getByText("Choose a time in the future.");
	await expect.poll(() => error.count()).toBe(1);
});

test("unsaved settings survive the end of the session and a login in another tab, which may save first", async () => {
	const { page, atelier } = await openAdminPage("Limits");
	const logIn = async (tab: Page): Promise<void> => {
		await tab.goto(`${atelier.origin}/dashboard/login?to=${encodeURIComponent(new URL(page.url()).pathname)}`);
		await tab.getByRole("button", { name: /Robin/ }).click();
		await tab.getByRole("heading", { name: "Limits" }).waitFor();
	};
	await page.getByLabel("Member limit").fill("7");
	await page.context().clearCookies();
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Your session has ended.").waitFor();
	await logIn(page);
	await page.getByText("1 unsaved change").waitFor();
	const other = await page.context().newPage();
	await logIn(other);
	await save(page);
	await other.reload();
	await expect.poll(() => other.getByLabel("Member limit").inputValue()).toBe("7");
	// Both tabs edit the same limit.
	await other.getByLabel("Member limit").fill("8");
	await page.getByLabel("Member limit").fill("9");
	await save(other);
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("alert").getByText("These settings were changed in the meantime.").waitFor();
	await expect.poll(() => page.getByLabel("Member limit").inputValue()).toBe("8");
});

test("forms on the page of limits take a member from the list after an error, and every time zone", async () => {
	const { page } = await openAdminPage("Limits");
	const member = page.getByRole("combobox", { name: "Add member" });
	await page.locator("form").getByRole("button", { name: "Add", exact: true }).click();
	const error = page.getByText("Choose a member from the list, or enter a member ID.");
	await error.waitFor();
	await member.fill("ada");
	await page.getByRole("option", { name: "Ada" }).click();
	await page.getByRole("button", { name: "Remove Ada" }).waitFor();
	expect(await error.count()).toBe(0);

	const timeZone = page.getByLabel("Time zone", { exact: true });
	await timeZone.fill("Middle-earth/Shire");
	await page.getByText("Enter a time zone such as Europe/Berlin.").waitFor();
	await expect.poll(() => page.getByRole("button", { name: "Save" }).isEnabled()).toBe(false);
	await timeZone.fill("Europe/Kyiv");
	await save(page);
	await page.reload();
	await expect.poll(() => timeZone.inputValue()).toBe("Europe/Kyiv");
});

test("a limit keeps its period while its field is empty, and the number from before an invalid text", async () => {
	const { page } = await openAdminPage("Limits");
	const card = page.getByRole("region", { name: "Server limit" });
	const credits = card.getByRole("textbox");
	const period = card.getByRole("combobox");
	await credits.fill("20");
	await period.selectOption("week");
	await credits.fill("");
	await credits.fill("30");
	expect(await period.inputValue()).toBe("week");
	await credits.blur();
	await credits.focus();
	await credits.press("End");
	await credits.pressSequentially("0,5");
	await card.getByText(/Enter a whole number/).waitFor();
	await openPage(page, "Settings");
	await openPage(page, "Limits");
	await expect.poll(() => credits.inputValue()).toBe("30");
	await expectNoErrors(page);
});

test("a new channel is offered when a page reads again, and stays if a later read fails", async () => {
	const { page } = await openAdminPage("Settings");
	const logChannel = page.getByLabel("Log channel");
	await logChannel.waitFor();
	const channels = [{ id: "1", name: "brand-new", category: "News", canBePostedTo: true }];
	await changeResponses(page, /\/directory$/, (directory) => ({ ...directory, channels }));
	await returnToTab(page);
	await logChannel.getByText("News / #brand-new").waitFor({ state: "attached" });
	await page.unroute(/\/directory$/);
	await page.route(/\/directory$/, async (route) => await route.abort());
	await openPage(page, "Limits");
	await openPage(page, "Settings");
	await logChannel.getByText("News / #brand-new").waitFor({ state: "attached" });
	expect(await page.getByRole("alert").getByRole("button", { name: "Try again" }).count()).toBe(0);
});
