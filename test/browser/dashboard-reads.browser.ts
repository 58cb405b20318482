/** Pages of the dashboard whose requests fail, or whose responses come late, in a real browser with the real bot. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelierWithMembers } from "../e2e/members.ts";
import { answerTo, answerToImage } from "../e2e/replies.ts";
import { createBrowser } from "./browser.ts";
import { logIn, openPage, openServer, untilLoaded } from "./dashboard-tab.ts";

const open = createBrowser();

const returnToTab = (page: Page): Promise<void> =>
	page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');

const hasFocus = (element: Locator): Promise<boolean> =>
	element.evaluate((each) => each === each.ownerDocument.activeElement);

/** Changes the responses to a request. */
async function changeResponses(page: Page, address: RegExp, change: (body: object) => object): Promise<void> {
	await page.route(address, async (route) => {
		const response = await route.fetch();
		await route.fulfill({ response, json: change((await response.json()) as object) });
	});
}

/** Holds the first request to an address. `arrived` resolves to it when the page has sent it. */
async function holdFirst(page: Page, address: RegExp) {
	const arrived = Promise.withResolvers<Request>();
	const late = Promise.withResolvers<void>();
	await page.route(
		address,
		async (route) => {
			arrived.resolve(route.request());
			await late.promise;
			await route.continue();
		},
		{ times: 1 },
	);
	return { arrived: arrived.promise, release: late.resolve };
}

/** Resolves when the page has handled the response. */
async function untilReceived(page: Page, request: Request): Promise<void> {
	await (await request.response())?.finished();
	await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
}

async function fillGrant(page: Page): Promise<void> {
	await page.getByLabel("Amount").fill("5");
	await page.getByLabel("Reason").fill("a gift");
}

describe("the dashboard in a browser", () => {
	test("a field in which the admin types on during a save keeps the focus", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Limits");
		const late = Promise.withResolvers<void>();
		await page.route(/\/settings$/, async (route) => {
			if (route.request().method() === "PUT") await late.promise;
			await route.continue();
		});
		await page.getByLabel("Member limit").fill("7");
		await page.getByRole("button", { name: "Save" }).click();
		const timeZone = page.getByLabel("Time zone", { exact: true });
		await timeZone.focus();
		late.resolve();
		await page.getByText("Saved.").first().waitFor();
		expect(await hasFocus(timeZone)).toBe(true);
	});

	test("servers that could not be read are not reported as missing, and their open pages stay", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await logIn(open, atelier.origin, "Robin");
		await changeResponses(page, /\/api\/session$/, (session) => ({ ...session, servers: [], hasUnreadServers: true }));
		await page.reload();
		const error = page.getByRole("alert").getByText("Discord or the bot isn't responding right now.");
		await error.waitFor();
		expect(await page.getByText("You don't share a server with this bot.").count()).toBe(0);
		await page.unroute(/\/api\/session$/);
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByRole("link", { name: /Atelier Playground/ }).click();
		await openPage(page, "Moderation");
		const reason = page.getByLabel("Reason");
		await reason.fill("spam");

		await changeResponses(page, /\/api\/session$/, (session) => ({ ...session, servers: [], hasUnreadServers: true }));
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

	test("a filled-in grant stays a grant when managers lose the right to grant", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Credits");
		await fillGrant(page);
		await changeResponses(page, /\/overview$/, (overview) => ({ ...overview, mayGrant: false }));
		const reading = page.waitForResponse(/\/overview$/);
		await returnToTab(page);
		await reading;
		await untilLoaded(page);
		expect(await page.getByRole("radio", { name: "Grant" }).isChecked()).toBe(true);
		await page.getByRole("button", { name: "Grant", exact: true }).waitFor();
		await page.getByLabel("Amount").fill("");
		await page.getByLabel("Reason").fill("");
		await page.getByRole("button", { name: "Revoke", exact: true }).waitFor();
		expect(await page.getByRole("radio").count()).toBe(0);
	});

	test("a grant with an unknown outcome is repeated as it was sent, also after a proxy's answer and on a return to the page", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		const sent: unknown[] = [];
		await page.route(/credits\/grant$/, async (route) => {
			sent.push(route.request().postDataJSON());
			if (sent.length === 1) await route.abort();
			else if (sent.length === 2) await route.fulfill({ status: 429, body: "Too many requests" });
			else await route.continue();
		});
		await openPage(page, "Credits");
		await fillGrant(page);
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		const retry = page.getByRole("button", { name: "Try again" });
		await retry.click();
		await expect.poll(() => sent.length).toBe(2);
		await openPage(page, "Usage");
		await openPage(page, "Credits");
		await page.getByRole("alert").getByText("This may not have worked. You can safely try again").waitFor();
		expect(await page.getByLabel("Amount").isDisabled()).toBe(true);
		await retry.click();
		await page.getByText("Granted 5 credits.").waitFor();
		expect(sent).toStrictEqual([sent[0], sent[0], sent[0]]);
		expect(await page.getByLabel("Amount").inputValue()).toBe("");
	});

	test("a grant with an unknown outcome is reported when the session ends", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await page.route(/credits\/grant$/, async (route) => await route.abort());
		await openPage(page, "Credits");
		await fillGrant(page);
		await page.getByRole("button", { name: "Grant", exact: true }).click();
		await page.getByRole("button", { name: "Try again" }).waitFor();
		await page.context().clearCookies();
		await returnToTab(page);
		await page.getByText("Your session has ended.").waitFor();
		const notice = page.getByRole("alert").getByText("Check the history on the Credits page");
		await expect.poll(() => notice.count()).toBe(1);
	});

	test("a block until a time that has passed since it was typed says so", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Moderation");
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

	test("a new channel is offered when a page reads again, and stays if a later read fails", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Settings");
		await page.getByLabel("Settings log").waitFor();
		await changeResponses(page, /\/directory$/, (directory) => {
			const channels = [{ id: "1", name: "brand-new", canBePostedTo: true }];
			return { ...directory, channels };
		});
		await returnToTab(page);
		await page.getByLabel("Settings log").getByText("#brand-new").waitFor({ state: "attached" });
		await page.unroute(/\/directory$/);
		await page.route(/\/directory$/, async (route) => await route.abort());
		await openPage(page, "Limits");
		await openPage(page, "Settings");
		await page.getByLabel("Settings log").getByText("#brand-new").waitFor({ state: "attached" });
		expect(await page.getByRole("alert").getByRole("button", { name: "Try again" }).count()).toBe(0);
	});

	test("the error of an overview that keeps failing is shown once, and the button to try again keeps the focus", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
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
		const { page } = await openServer(open, atelier.origin, "Robin");
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

	test("the preview of an import that another file has overtaken is ignored, and the dialog names its file", async () => {
		const { atelier, owner } = await openAtelierWithMembers();
		await answerTo(owner, "/filter add", { pattern: "dragon*" });
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Settings");
		const exported = await page.request.get(`${page.url().replace("/dashboard/", "/dashboard/api/")}/file`);
		const text = await exported.text();
		const folder = await createTempFolder();
		const choose = async (name: string, pattern: string): Promise<void> => {
			await writeFile(join(folder, name), text.replace("dragon*", pattern));
			await page.locator("input[type=file]").setInputFiles(join(folder, name));
		};
		const first = await holdFirst(page, /file\/preview$/);
		await choose("a.json", "unicorn");
		const overtaken = await first.arrived;
		await choose("b.json", "griffin");
		const dialog = page.getByRole("dialog", { name: "Import the settings of b.json?" });
		await dialog.getByText("griffin").waitFor();
		first.release();
		await untilReceived(page, overtaken);
		expect(await dialog.getByText("griffin").count()).toBe(1);
		expect(await page.getByText("unicorn").count()).toBe(0);
	});

	test("a test of the word filter shows no verdict about another text or other words", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Moderation");
		const text = page.getByLabel("Test a prompt");
		const passed = page.getByText("Not blocked.");
		await text.fill("a dragon");
		const first = await holdFirst(page, /filter\/test$/);
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

	test("a preview that could not be loaded is loaded when the reader returns", async () => {
		const { atelier, ada } = await openAtelierWithMembers();
		await answerToImage(ada);
		const { page } = await openServer(open, atelier.origin, "Robin");
		await page.route(/\/preview$/, async (route) => await route.abort(), { times: 1 });
		await openPage(page, "Jobs");
		await page.getByText("No preview").waitFor();
		await returnToTab(page);
		await expect.poll(() => page.getByRole("img", { name: "a boat" }).count()).toBe(1);
	});

	test("a half-typed style and grant stay when the admin opens another page", async () => {
		const { atelier } = await openAtelierWithMembers();
		const { page } = await openServer(open, atelier.origin, "Robin");
		await openPage(page, "Settings");
		const form = page.getByRole("group", { name: "New style" });
		await form.getByLabel("Name", { exact: true }).fill("Ink");
		await form.getByLabel("Words").fill("black ink");
		await openPage(page, "Credits");
		await fillGrant(page);
		await openPage(page, "Settings");
		expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Ink");
		expect(await form.getByLabel("Words").inputValue()).toBe("black ink");
		await openPage(page, "Credits");
		expect(await page.getByLabel("Amount").inputValue()).toBe("5");
		expect(await page.getByLabel("Reason").inputValue()).toBe("a gift");
	});
});
