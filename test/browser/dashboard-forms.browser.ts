/** The gallery, the search of members, styles and the import of settings in a real browser, with the real bot. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@atelier/playground/user-client/message-contents";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAtelierWithMembers } from "../e2e/members.ts";
import { answerTo, answerToImage } from "../e2e/replies.ts";
import { createBrowser, expectNoErrors, type Tab } from "./browser.ts";
import { openPage, openServer, PHONE, untilLoaded } from "./dashboard-tab.ts";

const DESKTOP = { width: 1280, height: 800, colorScheme: "dark" } as const;

const open = createBrowser();

async function resize(page: Page, { colorScheme, ...size }: typeof DESKTOP | typeof PHONE): Promise<void> {
	await page.setViewportSize(size);
	await page.emulateMedia({ colorScheme });
}

/** Checks a page that is open on a phone, there and on a desktop. */
async function expectNoErrorsAtBothWidths(tab: Tab, screenshotName: string): Promise<void> {
	await expectNoErrors(tab, `${screenshotName}-phone`);
	await resize(tab.page, DESKTOP);
	await expectNoErrors(tab, screenshotName);
	await resize(tab.page, PHONE);
}

describe("the dashboard in a browser", () => {
	test("an admin finds a member's result in the gallery, and deletes it", async () => {
		const { atelier, ada, grace } = await openAtelierWithMembers();
		await answerToImage(ada);
		await answerTo(grace, "/image", { prompt: "a quiet harbor" });
		await answerTo(ada, "/image", { prompt: "a secret", private: true });
		const tab = await openServer(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await openPage(page, "Jobs");
		const tiles = page.locator(".job-tile");
		await tiles.nth(2).waitFor();
		const image = page.getByRole("img", { name: "a quiet harbor" });
		// The preview is the file itself.
		await expect
			.poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
			.toBeGreaterThan(0);
		expect(await page.getByText("a secret").count()).toBe(0);
		await expectNoErrorsAtBothWidths(tab, "dashboard-gallery");

		// A phone folds the filters.
		await page.getByRole("button", { name: "Filters", expanded: false }).click();
		const member = page.getByRole("combobox", { name: "Member" });
		await member.fill("gra");
		await page.getByRole("option", { name: "Grace" }).waitFor();
		await expectNoErrorsAtBothWidths(tab, "dashboard-member-search");
		await member.press("ArrowDown");
		await member.press("Enter");
		await untilLoaded(page);
		await expect.poll(() => tiles.count()).toBe(1);
		await page.getByRole("button", { name: /Delete/ }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await page.getByText("Deleted.").first().waitFor();
		await expect.poll(() => image.count()).toBe(0);
		const texts = (await grace.messages()).map((message) => textOf(message));
		expect(texts.filter((text) => text.includes("a quiet harbor"))).toEqual([]);
		await expectNoErrors(tab);
	});

	test("an admin who chooses a channel where the bot cannot post reads at the field what to do", async () => {
		const { atelier } = await openAtelierWithMembers();
		const tab = await openServer(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await openPage(page, "Settings");
		const field = page.getByLabel("Reports");
		await field.selectOption({ label: "#notices" });
		await page.getByRole("button", { name: "Save" }).click();
		const error = page.locator(".field-error");
		await error.getByText("I can't post in #notices").waitFor();
		expect(await field.getAttribute("aria-describedby")).toContain(await error.getAttribute("id"));
		await field.scrollIntoViewIfNeeded();
		await expectNoErrorsAtBothWidths(tab, "dashboard-denied-channel");
		await field.selectOption({ label: "#gallery" });
		await error.waitFor({ state: "detached" });
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved.").first().waitFor();
		await expectNoErrors(tab);
	});

	test("an admin adds a style with a model, sees its preview, and a member can use it", async () => {
		const { atelier, ada } = await openAtelierWithMembers();
		const tab = await openServer(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await openPage(page, "Settings");
		const form = page.getByRole("group", { name: "New style" });
		await form.getByRole("button", { name: "Add" }).click();
		await form.getByText("Enter a new name, and words or options.").waitFor();
		await form.getByLabel("Name", { exact: true }).fill("Ink");
		await form.getByLabel("Words").fill("black ink, loose lines");
		await form.getByLabel("Type").selectOption("image");
		await form.getByLabel("Aspect ratio").selectOption("16:9");
		await form.getByText("a lighthouse at dusk, black ink, loose lines").waitFor();
		await form.getByText("Aspect ratio: 16:9").waitFor();
		await form.scrollIntoViewIfNeeded();
		await expectNoErrorsAtBothWidths(tab, "dashboard-style");
		await form.getByRole("button", { name: "Add" }).click();
		const added = page.getByRole("group", { name: "Ink", exact: true });
		await added.getByText("Edit").click();
		await added.getByLabel("Words").fill("blue ink");
		await added.getByText("a lighthouse at dusk, blue ink").waitFor();
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved.").first().waitFor();
		await expectNoErrors(tab);
		await added.scrollIntoViewIfNeeded();
		await tab.screenshot("dashboard-style-saved");
		expect(await answerTo(ada, "/style list")).toContain("16\\:9");
		expect(await answerTo(ada, "/image", { prompt: "a boat", style: "Ink" })).toContain("blue ink");
	});

	test("an admin imports the settings of a file after reading what would change", async () => {
		const { atelier, owner } = await openAtelierWithMembers();
		await answerTo(owner, "/filter add", { pattern: "dragon*" });
		const tab = await openServer(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
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
		await expectNoErrorsAtBothWidths(tab, "dashboard-import");
		await dialog.getByRole("button", { name: "Import" }).click();
		await page.getByText("Settings imported.").first().waitFor();
		expect(await answerTo(owner, "/filter list")).toContain("unicorn");
		await writeFile(file, "not a file of settings");
		await page.locator("input[type=file]").setInputFiles(file);
		await page.getByRole("alert").waitFor();
		await expectNoErrors(tab);
	});

	test("a form names what is missing at its fields and moves the focus there, and a full list takes no more", async () => {
		const { atelier } = await openAtelierWithMembers();
		const tab = await openServer(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await openPage(page, "Moderation");
		await page.getByRole("button", { name: "Block" }).click();
		const member = page.getByRole("combobox", { name: "Member" });
		await page.getByText("Choose a member from the list, or enter a member ID.").waitFor();
		await page.getByText("Enter 1 to 200 characters.").waitFor();
		expect(await member.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
		await expectNoErrorsAtBothWidths(tab, "dashboard-block");
		await member.fill("ada");
		await page.getByRole("option", { name: "Ada" }).click();
		await page.getByLabel("Reason").fill("spam");
		await page.getByLabel("Reason").press("Enter");
		await page.getByRole("button", { name: "Unblock" }).waitFor();

		const word = page.getByLabel("Add word");
		for (let count = 0; count < 100; count++) {
			await word.fill(`word${count}`);
			await word.press("Enter");
		}
		await page.getByText("This list is full, with 100 entries. Remove one to add another.").waitFor();
		expect(await word.count()).toBe(0);
		await expectNoErrorsAtBothWidths(tab, "dashboard-full-list");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved.").first().waitFor();
		await page.getByRole("button", { name: "Remove word0" }).click();
		await word.waitFor();
	});

	test("unsaved settings survive the end of the session and a login in another tab, which may save first", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const logIn = async (tab: Page): Promise<void> => {
			await tab.goto(`${atelier.origin}/dashboard/login?to=${encodeURIComponent(new URL(page.url()).pathname)}`);
			await tab.getByRole("button", { name: /Robin/ }).click();
			await tab.getByRole("heading", { name: "Limits" }).waitFor();
		};
		await openPage(page, "Limits");
		await page.getByLabel("Member limit").fill("7");
		await page.context().clearCookies();
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Your session has ended.").waitFor();
		await logIn(page);
		await page.getByText("1 unsaved change").waitFor();
		const other = await page.context().newPage();
		await logIn(other);
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved.").first().waitFor();
		await other.reload();
		await expect.poll(() => other.getByLabel("Member limit").inputValue()).toBe("7");
		// Both tabs edit the same limit.
		await other.getByLabel("Member limit").fill("8");
		await page.getByLabel("Member limit").fill("9");
		await other.getByRole("button", { name: "Save" }).click();
		await other.getByText("Saved.").first().waitFor();
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByRole("alert").getByText("These settings were changed in the meantime.").waitFor();
		await expect.poll(() => page.getByLabel("Member limit").inputValue()).toBe("8");
	});

	test("a grant whose response is lost is repeated as it was sent, also after the admin edited the form meanwhile", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const lost = Promise.withResolvers<void>();
		const sent: unknown[] = [];
		await page.route(/credits\/(grant|revoke)$/, async (route) => {
			sent.push([new URL(route.request().url()).pathname.split("/").at(-1), route.request().postDataJSON()]);
			if (sent.length > 1) return await route.continue();
			await lost.promise;
			await route.abort();
		});
		await openPage(page, "Credits");
		const amount = page.getByLabel("Amount");
		await amount.fill("5");
		await page.getByLabel("Reason").fill("a gift");
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		await expect.poll(() => sent.length).toBe(1);
		await amount.fill("70");
		await page.getByRole("radio", { name: "Revoke" }).check();
		lost.resolve();
		await page.getByRole("alert").getByText("This may not have worked. You can safely try again").waitFor();
		expect(await amount.inputValue()).toBe("5");
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByText("Granted 5 credits.").waitFor();
		expect(sent[1]).toStrictEqual(sent[0]);
	});

	test("discarding a grant with an unknown outcome moves the focus to the amount", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await page.route(/credits\/grant$/, async (route) => await route.abort());
		await openPage(page, "Credits");
		const amount = page.getByLabel("Amount");
		await amount.fill("5");
		await page.getByLabel("Reason").fill("a gift");
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		await page.getByRole("button", { name: "Discard" }).click();
		await expect.poll(() => amount.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
		expect(await amount.inputValue()).toBe("");
	});

	test("a lost response to a grant or a new key is reported after the admin has left the page or the session has ended", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const late = Promise.withResolvers<void>();
		const lost = Promise.withResolvers<void>();
		await page.route(/\/keys$/, async (route) => {
			if (route.request().method() === "POST") await late.promise;
			await route.continue();
		});
		await page.route(/credits\/grant$/, async (route) => {
			await lost.promise;
			await route.abort();
		});
		await openPage(page, "API keys");
		await page.getByLabel("Name", { exact: true }).fill("backup");
		await page.getByRole("button", { name: "Create key" }).click();
		await openPage(page, "Credits");
		late.resolve();
		await page.getByRole("alert").getByText("“backup” was created, but you left").waitFor();
		await page.getByLabel("Amount").fill("5");
		await page.getByLabel("Reason").fill("a gift");
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		await page.context().clearCookies();
		await openPage(page, "Usage");
		await page.getByText("Your session has ended.").waitFor();
		lost.resolve();
		await page.getByRole("alert").getByText("Check the history on the Credits page").waitFor();
		expect(await page.getByRole("alert").getByText("“backup” was created, but you left").count()).toBe(1);
	});

	test("forms on the page of limits take a member from the list after an error, and every time zone", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Limits");
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
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved.").first().waitFor();
		await page.reload();
		await expect.poll(() => timeZone.inputValue()).toBe("Europe/Kyiv");
	});

	test("a style with an invalid option, and an empty word or test of the filter, are not accepted in silence", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Settings");
		const form = page.getByRole("group", { name: "New style" });
		await form.getByLabel("Name", { exact: true }).fill("Short");
		await form.getByLabel("Words").fill("short");
		await form.getByLabel("Type").selectOption("video");
		await form.getByLabel("Duration").fill("soon");
		await form.getByRole("button", { name: "Add" }).click();
		await form.getByText(/Enter a whole number/).waitFor();
		expect(await page.getByRole("group", { name: "Short", exact: true }).count()).toBe(0);
		expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Short");
		await openPage(page, "Moderation");
		await page.locator("form", { hasText: "Add word" }).getByRole("button").click();
		await page.getByText("Enter 1 to 64 characters.").waitFor();
		await page.getByRole("button", { name: "Test" }).click();
		await page.getByText("Enter 1 to 2,000 characters.").waitFor();
	});

	test("a change that fails after the admin has left its page is reported on the next page", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const late = Promise.withResolvers<void>();
		await page.route(/credits\/grant$/, async (route) => {
			await late.promise;
			await route.fulfill({ status: 422, json: { error: { code: "denied", message: "Not today." } } });
		});
		await openPage(page, "Credits");
		await page.getByLabel("Amount").fill("5");
		await page.getByLabel("Reason").fill("a gift");
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		await openPage(page, "Usage");
		late.resolve();
		await page.getByRole("alert").getByText("Not today.").waitFor();
		expect(new URL(page.url()).pathname).toMatch(/\/usage$/);
	});

	test("a page of an earlier filter that arrives late is not added to the list of the present one", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const late = Promise.withResolvers<void>();
		const entry = {
			atMs: 1,
			kind: "post",
			amountCredits: 1,
			changeCredits: -1,
			postedAfterCredits: 1,
			heldAfterCredits: 0,
			userId: null,
			keyName: null,
			isOperator: false,
			model: null,
			taskId: null,
		};
		await page.route(/credits\/history(\?|$)/, async (route) => {
			const query = new URL(route.request().url()).searchParams;
			if (query.has("before")) await late.promise;
			const reason = query.has("before") ? "late" : (query.get("kind") ?? "any");
			await route.fulfill({ json: { entries: [{ ...entry, seq: 7, reason }], nextBefore: 7 } });
		});
		await openPage(page, "Credits");
		await page.getByRole("cell", { name: "any" }).waitFor();
		const more = page.getByRole("button", { name: "Load more" });
		await more.click();
		await page.getByLabel("Type").selectOption("grant");
		await page.getByRole("cell", { name: "grant", exact: true }).waitFor();
		late.resolve();
		await expect.poll(() => more.isEnabled()).toBe(true);
		expect(await page.getByRole("cell", { name: "late" }).count()).toBe(0);
	});
});
