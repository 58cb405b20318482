/** Pages of the dashboard that fail to read, or whose responses come late, in a real browser with the real bot. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelierWithMembers } from "../e2e/start-atelier.ts";
import { answerTo, answerToImage } from "../e2e/replies.ts";
import { hasFocus } from "./browser.ts";
import {
	changeResponses,
	holdWrite,
	logIn,
	openAdminPage,
	openPage,
	openServer,
	returnToTab,
	untilLoaded,
	untilReceived,
} from "./dashboard-tab.ts";

test("a field in which the admin types on during a save, or the Save bar that stays for it, keeps the focus", async () => {
	const { page } = await openAdminPage("Limits");
	const saving = await holdWrite(page, /\/settings$/);
	const limit = page.getByLabel("Member limit");
	await limit.fill("7");
	const saveButton = page.getByRole("button", { name: "Save" });
	await saveButton.click();
	const timeZone = page.getByLabel("Time zone", { exact: true });
	await timeZone.focus();
	saving.release();
	await page.getByText("Saved.").first().waitFor();
	expect(await hasFocus(timeZone)).toBe(true);
	const again = await holdWrite(page, /\/settings$/);
	await limit.fill("8");
	await saveButton.click();
	const sent = await again.arrived;
	await limit.fill("9");
	await saveButton.focus();
	again.release();
	await untilReceived(page, sent);
	expect(await hasFocus(saveButton)).toBe(true);
});

const SESSION = /\/api\/session$/;

test("a page whose session could not be read shows the error until it is read, not the login", async () => {
	const { atelier } = await openAtelierWithMembers();
	const page = await logIn(atelier.origin, "Robin");
	await page.route(SESSION, async (route) => await route.abort());
	await page.reload();
	const retry = page.getByRole("button", { name: "Try again" });
	await retry.waitFor();
	await page.unroute(SESSION);
	const reading = Promise.withResolvers<void>();
	await page.route(SESSION, async (route) => {
		await reading.promise;
		await route.continue();
	});
	await retry.click();
	await page.locator("button[aria-disabled=true]", { hasText: "Try again" }).waitFor();
	expect(await page.getByRole("link", { name: "Log in with Discord" }).count()).toBe(0);
	reading.resolve();
	await page.getByRole("heading", { name: "Servers" }).waitFor();
});

test("servers that could not be read are not reported as missing, and their open pages stay", async () => {
	const { atelier } = await openAtelierWithMembers();
	const page = await logIn(atelier.origin, "Robin");
	await changeResponses(page, SESSION, (session) => ({ ...session, servers: [], isListIncomplete: true }));
	await page.reload();
	const error = page.getByRole("alert").getByText("Discord or the bot isn't responding right now.");
	await error.waitFor();
	expect(await page.getByText("You don't share a server with this bot.").count()).toBe(0);
	await page.unroute(SESSION);
	const retry = page.getByRole("button", { name: "Try again" });
	await page.route(SESSION, async (route) => await route.abort(), { times: 1 });
	await retry.click();
	await page.getByRole("alert").getByText("The bot isn't responding. Check").waitFor();
	await retry.click();
	await page.getByRole("link", { name: /Atelier Playground/ }).click();
	await openPage(page, "Moderation");
	const reason = page.getByLabel("Reason");
	await reason.fill("spam");

	await changeResponses(page, SESSION, (session) => ({ ...session, servers: [], isListIncomplete: true }));
	const reading = page.waitForResponse(/\/blocks$/);
	await page.clock.setFixedTime(Date.now() + 3_600_000);
	await returnToTab(page);
	await reading;
	await untilLoaded(page);
	expect(await reason.inputValue()).toBe("spam");
	await page.reload();
	await error.waitFor();
	expect(await page.getByRole("heading", { name: "No access" }).count()).toBe(0);
});

test("a page that fails to render shows an error in its place, and the others open", async () => {
	const { page } = await openAdminPage("Settings");
	const creditPrice = { amount: 1, currency: "?" };
	await changeResponses(page, /\/overview$/, (overview) => ({ ...overview, creditPrice }));
	await openPage(page, "Overview");
	await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
	await expect.poll(() => hasFocus(page.getByRole("heading", { name: "Overview" }))).toBe(true);
	await openPage(page, "Jobs");
	await expect.poll(() => page.getByText("No jobs yet.").count()).toBe(1);
	await changeResponses(page, /\/api\/messages/, (body) => ({
		...body,
		messages: { ...(body as { messages: object }).messages, "dashboard.access": "{" },
	}));
	await page.goto(`${new URL(page.url()).origin}/dashboard/`);
	await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
	expect(await page.getByRole("heading", { name: "Servers" }).count()).toBe(1);
});

test("a tab in which another user has logged in loads their pages instead of their data under the first user's name", async () => {
	const { page, atelier } = await openAdminPage("My account");
	const other = await page.context().newPage();
	await other.goto(`${atelier.origin}/dashboard/login`);
	await other.getByRole("button", { name: /Ada/ }).click();
	await other.getByRole("heading", { name: "Servers" }).waitFor();
	await returnToTab(page);
	await expect.poll(() => page.getByTitle("Ada").count()).toBe(1);
});

test("a download after the end of the session leads to the login", async () => {
	const { page } = await openAdminPage("Credits");
	const link = page.getByRole("link", { name: "CSV" });
	await link.waitFor();
	await untilLoaded(page);
	await page.context().clearCookies();
	await link.click();
	await expect.poll(() => page.getByText("Your session has ended.").count()).toBe(1);
});

test("the error of an overview that keeps failing is shown once, and the button to try again keeps the focus", async () => {
	const { page } = await openAdminPage("Overview");
	await page.getByText("No jobs are running.").first().waitFor();
	let failures = 0;
	await page.route(/\/overview$/, async (route) => {
		failures += 1;
		await route.abort();
	});
	const retry = page.getByRole("button", { name: "Try again" });
	await retry.waitFor();
	await retry.focus();
	const button = await retry.elementHandle();
	const failed = failures;
	await expect.poll(() => failures, { timeout: 30_000 }).toBeGreaterThan(failed + 1);
	expect(await button?.evaluate((each) => each.isConnected && each === each.ownerDocument.activeElement)).toBe(true);
});

test("an overview that was read before a job was canceled does not show the job as running", async () => {
	const { atelier, ada } = await openAtelierWithMembers({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
	const page = await openServer(atelier.origin, "Robin");
	await ada.type("/image", { prompt: "a slow boat" });
	await page.getByText("a slow boat").waitFor();
	const arrived = Promise.withResolvers<Request>();
	const late = Promise.withResolvers<void>();
	await page.route(
		/\/overview$/,
		async (route) => {
			const response = await route.fetch();
			arrived.resolve(route.request());
			await late.promise;
			await route.fulfill({ response });
		},
		{ times: 1 },
	);
	const older = await arrived.promise;
	await page.getByRole("button", { name: /Cancel/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
	await page.getByText("No jobs are running.").first().waitFor();
	await page.evaluate(`new MutationObserver(() => {
		if (document.querySelector(".job-actions button")) document.title = "running again";
	}).observe(document.querySelector("main"), { childList: true, subtree: true })`);
	late.resolve();
	await untilReceived(page, older);
	expect(await page.title()).not.toBe("running again");
});

test("a job that is deleted although the response is lost is shown as deleted later, and a deletion of all may still run", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await answerToImage(ada);
	await page.route(/\/delete$/, async (route) => {
		await route.fetch();
		await route.abort();
	});
	await openPage(page, "Jobs");
	await page.getByRole("button", { name: /Delete/ }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("button", { name: "Delete" }).click();
	await dialog.getByText("The bot isn't responding.").waitFor();
	await dialog.getByRole("button", { name: "Back" }).click();
	await expect.poll(() => page.locator(".badge", { hasText: "Deleted" }).count()).toBe(1);

	await openPage(page, "My account");
	await page.getByRole("region", { name: "My data" }).getByRole("button", { name: "Delete" }).click();
	await dialog.getByRole("button", { name: "Delete" }).click();
	await expect.poll(() => dialog.getByText("The deletion may still be running.").count()).toBe(1);
	const error = { code: "unexpected", message: "Incident 4711" };
	await page.route(/\/delete$/, async (route) => await route.fulfill({ status: 500, json: { error } }));
	await dialog.getByRole("button", { name: "Delete" }).click();
	await expect.poll(() => dialog.getByText("Incident 4711").count()).toBe(1);
});

test("the result of an action is shown although its button went during the action", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await answerToImage(ada);
	await openPage(page, "Jobs");
	const deletion = await holdWrite(page, /\/delete$/);
	await page.getByRole("button", { name: /Delete/ }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("button", { name: "Delete" }).click();
	await deletion.arrived;
	await changeResponses(page, /\/jobs$/, (list) => ({
		...list,
		items: (list as { items: object[] }).items.map((job) => ({ ...job, actions: [] })),
	}));
	await returnToTab(page);
	await dialog.waitFor({ state: "detached" });
	deletion.release();
	await expect.poll(() => page.locator(".badge", { hasText: "Deleted" }).count()).toBe(1);
});

/** An entry of the history, without its number and its reason. */
const ENTRY = {
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

/** Responds with one entry per page of the history. Holds all pages but the first until the returned function runs. */
async function holdLaterPages(page: Page): Promise<() => void> {
	const late = Promise.withResolvers<void>();
	await page.route(/credits\/history(\?|$)/, async (route) => {
		const query = new URL(route.request().url()).searchParams;
		if (query.has("before")) await late.promise;
		const reason = query.has("before") ? "late" : (query.get("kind") ?? "any");
		await route.fulfill({ json: { items: [{ ...ENTRY, seq: 7, reason }], next: 7 } });
	});
	return late.resolve;
}

test("a page of an earlier filter that arrives late is not added to the list of the present one", async () => {
	const { page } = await openAdminPage("Overview");
	const release = await holdLaterPages(page);
	await openPage(page, "Credits");
	await page.getByRole("cell", { name: "any" }).waitFor();
	const more = page.getByRole("button", { name: "Load more" });
	await more.click();
	await page.getByLabel("Type").selectOption("grant");
	await page.getByRole("cell", { name: "grant", exact: true }).waitFor();
	release();
	await expect.poll(() => more.isEnabled()).toBe(true);
	expect(await page.getByRole("cell", { name: "late" }).count()).toBe(0);
});

test("a click after a filter could not be read adds no page to the list of the earlier filter", async () => {
	const { page } = await openAdminPage("Overview");
	const release = await holdLaterPages(page);
	release();
	await openPage(page, "Credits");
	await page.getByRole("cell", { name: "any" }).waitFor();
	await page.route(/kind=grant/, async (route) => await route.fulfill({ status: 502 }), { times: 1 });
	await page.getByLabel("Type").selectOption("grant");
	await page.getByRole("button", { name: "Try again" }).waitFor();
	await page.getByRole("button", { name: "Load more" }).click();
	await page.getByRole("cell", { name: "grant", exact: true }).waitFor();
	expect(await page.getByRole("cell", { name: "any" }).count()).toBe(0);
});

test("the next page of a list is shown although the list is read again meanwhile", async () => {
	const { page } = await openAdminPage("Overview");
	const release = await holdLaterPages(page);
	await openPage(page, "Credits");
	await page.getByRole("cell", { name: "any" }).waitFor();
	const next = page.waitForRequest(/history\?before=/);
	await page.getByRole("button", { name: "Load more" }).click();
	await next;
	const again = page.waitForResponse(/credits\/history$/);
	await returnToTab(page);
	await again;
	release();
	await expect.poll(() => page.getByRole("cell", { name: "late" }).count()).toBe(1);
});

test("one page is added to a list by the click that follows a failed one, and the list keeps the focus", async () => {
	const { page } = await openAdminPage("Overview");
	let isFailing = true;
	const reads: number[] = [];
	await page.route(/credits\/history(\?|$)/, async (route) => {
		const before = Number(new URL(route.request().url()).searchParams.get("before") ?? 9);
		reads.push(before);
		if (isFailing) return await route.fulfill({ status: 502 });
		const seq = before - 1;
		await route.fulfill({ json: { items: [{ ...ENTRY, seq, reason: `entry ${seq}` }], next: seq === 7 ? null : seq } });
	});
	await openPage(page, "Credits");
	const retry = page.getByRole("button", { name: "Try again" });
	await retry.waitFor();
	isFailing = false;
	await retry.click();
	await page.getByRole("cell", { name: "entry 8" }).waitFor();
	const list = page.locator(".loaded", { hasText: "entry 8" });
	expect(await hasFocus(list)).toBe(true);
	isFailing = true;
	const more = page.getByRole("button", { name: "Load more" });
	await more.click();
	await retry.waitFor();
	isFailing = false;
	await more.click();
	await page.getByRole("cell", { name: "entry 7" }).waitFor();
	expect(await hasFocus(list)).toBe(true);
	expect(reads).toStrictEqual([9, 9, 8, 9, 8]);
});

test("a list with a running job reads its later pages only once", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await answerToImage(ada);
	const reads: (string | null)[] = [];
	await page.route(/\/jobs(\?|$)/, async (route) => {
		const before = new URL(route.request().url()).searchParams.get("before");
		reads.push(before);
		if (before !== null) return await route.fulfill({ json: { items: [], next: null } });
		const response = await route.fetch();
		const { items } = (await response.json()) as { items: object[] };
		await route.fulfill({
			response,
			json: { items: items.map((job) => ({ ...job, state: "in_progress" })), next: "7" },
		});
	});
	await openPage(page, "Jobs");
	await page.getByRole("button", { name: "Load more" }).click();
	await untilReceived(page, await page.waitForRequest(/\/jobs$/));
	expect(reads.filter((before) => before !== null)).toStrictEqual(["7"]);
});

test("the preview of an import that another file has overtaken is ignored, and the dialog names its file", async () => {
	const { page, owner } = await openAdminPage("Overview");
	await answerTo(owner, "/filter add", { pattern: "dragon*" });
	await openPage(page, "Settings");
	const exported = await page.request.get(`${page.url().replace("/dashboard/", "/dashboard/api/")}/file`);
	const text = await exported.text();
	const folder = await createTempFolder();
	const choose = async (name: string, pattern: string): Promise<void> => {
		await writeFile(join(folder, name), text.replace("dragon*", pattern));
		await page.locator("input[type=file]").setInputFiles(join(folder, name));
	};
	const first = await holdWrite(page, /file\/preview$/);
	await choose("a.json", "unicorn");
	const overtaken = await first.arrived;
	await choose("b.json", "griffin");
	const dialog = page.getByRole("dialog", { name: "Import the settings from b.json?" });
	await dialog.getByText("griffin").waitFor();
	first.release();
	await untilReceived(page, overtaken);
	expect(await dialog.getByText("griffin").count()).toBe(1);
	expect(await page.getByText("unicorn").count()).toBe(0);
});

test("a test of the word filter shows no verdict about another text or other words", async () => {
	const { page } = await openAdminPage("Moderation");
	const text = page.getByLabel("Test a prompt");
	const passed = page.getByText("Not blocked.");
	await text.fill("a dragon");
	const first = await holdWrite(page, /filter\/test$/);
	await page.getByRole("button", { name: "Test" }).click();
	const older = await first.arrived;
	await text.fill("a unicorn");
	first.release();
	await untilReceived(page, older);
	expect(await passed.count()).toBe(0);
	await page.getByRole("button", { name: "Test" }).click();
	await passed.waitFor();
	await page.getByLabel("Add word").fill("unicorn");
	await page.getByLabel("Add word").press("Enter");
	await passed.waitFor({ state: "detached" });
});

test("a preview of limits stays when the response about earlier limits arrives late", async () => {
	const { page } = await openAdminPage("Limits");
	const limit = page.getByLabel("Member limit");
	const preview = page.getByText(/over the new limits/);
	const first = await holdWrite(page, /limits\/preview$/);
	await limit.fill("7");
	const older = await first.arrived;
	await limit.fill("8");
	await preview.waitFor();
	first.release();
	await untilReceived(page, older);
	expect(await preview.count()).toBe(1);
});

test("a preview that could not be loaded is loaded when the reader returns", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await answerToImage(ada);
	await page.route(/\/preview$/, async (route) => await route.abort(), { times: 1 });
	await openPage(page, "Jobs");
	await page.getByText("No preview").waitFor();
	await returnToTab(page);
	await expect.poll(() => page.getByRole("img", { name: "a boat" }).count()).toBe(1);
});
