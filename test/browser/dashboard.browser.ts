/** The dashboard in a real browser, with the real bot and the playground's log-in. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelierWithMembers } from "../e2e/start-atelier.ts";
import { answerToImage } from "../e2e/replies.ts";
import { expectNoErrors, hasFocus, openTab, screenshot } from "./browser.ts";
import { holdWrite, logIn, openAdminPage, openPage, openServer, PHONE, save, untilLoaded } from "./dashboard-tab.ts";

const SERVER_PAGES = [
	"Overview",
	"Usage",
	"Limits",
	"Credits",
	"Jobs",
	"Moderation",
	"Settings",
	"API keys",
	"Audit log",
	"My account",
];

test("the page before the login is in order", async () => {
	const { atelier } = await openAtelierWithMembers();
	for (const options of [{}, PHONE]) {
		const page = await openTab(`${atelier.origin}/dashboard/`, { ...options, ready: "main" });
		expect(await page.getByRole("link", { name: "Log in with Discord" }).count()).toBe(1);
		await expectNoErrors(page);
	}
});

test("a member is denied after an admin lowers a limit, and allowed after the admin raises it", async () => {
	const { page, ada } = await openAdminPage("Overview");
	await page.getByRole("heading", { name: "Overview" }).waitFor();
	await page.getByText("500").first().waitFor();
	await expectNoErrors(page, "dashboard-overview");

	await openPage(page, "Limits");
	const limit = page.getByLabel("Member limit");
	await limit.fill("1");
	await save(page);
	expect(await answerToImage(ada)).toContain("limit");
	await limit.fill("100");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("button", { name: "Save" }).waitFor({ state: "hidden" });
	expect(await answerToImage(ada)).toContain("left");
	await limit.fill("1");
	await page.getByText("1 member is over the new limits today.").waitFor();
	await expectNoErrors(page, "dashboard-limits");
	await page.getByRole("button", { name: "Discard" }).click();

	await openPage(page, "Usage");
	await page.getByRole("heading", { name: "By member" }).waitFor();
	const bars = page.getByRole("img", { name: /^Bar chart/ }).locator(".chart-bar:visible");
	await bars.waitFor();
	await expectNoErrors(page, "dashboard-usage");
	// Only images were generated, all of them today.
	expect(await bars.evaluateAll((elements) => elements.map(({ className }) => className))).toStrictEqual([
		"chart-bar image",
	]);
	const colors = (): Promise<string[]> =>
		page.evaluate(`[".chart-bar", ".choice :checked + span"].map((part) =>
			getComputedStyle(document.querySelector(part)).backgroundColor)`);
	const [bar] = await colors();
	await page.emulateMedia({ forcedColors: "active" });
	const highlight = await page.evaluate(`(() => {
		document.body.style.color = "Highlight";
		const { color } = getComputedStyle(document.body);
		document.body.style.color = "";
		return color;
	})()`);
	expect(await colors()).toStrictEqual([bar, highlight]);
	await page.emulateMedia({ forcedColors: "none" });

	await openPage(page, "Credits");
	// The page before it has a link of this name too.
	await page.getByRole("heading", { name: "History" }).waitFor();
	const download = page.waitForEvent("download");
	await page.getByRole("link", { name: "CSV" }).click();
	const csv = await readFile(await (await download).path(), "utf8");
	expect(csv).toContain("post");
	await expectNoErrors(page);
});

test("a running job appears live, and can be canceled", async () => {
	const { atelier, ada } = await openAtelierWithMembers({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
	const page = await openServer(atelier.origin, "Robin");
	await page.getByText("No jobs are running.").first().waitFor();
	await ada.type("/image", { prompt: "a slow boat" });
	await page.getByText("a slow boat").waitFor();
	await screenshot(page, "dashboard-running");
	await page.getByRole("button", { name: /Cancel/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
	await page.getByText("No jobs are running.").first().waitFor();
	await openPage(page, "Jobs");
	await expect.poll(() => page.getByText("Canceled").count()).toBeGreaterThan(0);
});

test.each([
	["every page of a server", /Atelier Playground/, SERVER_PAGES, "dashboard"],
	["every page of operators", "Bot management", ["Servers", "Health", "Studio"], "operator"],
])("%s is in order on a phone in light colors, and the log-out ends the session", async (_what, link, pages, name) => {
	const { atelier, ada } = await openAtelierWithMembers({ env: { CREDIT_PRICE: "0.01 EUR" } });
	await answerToImage(ada);
	const page = await logIn(atelier.origin, "Robin", PHONE);
	await page.getByRole("link", { name: link }).first().click();
	for (const heading of pages) {
		await openPage(page, heading);
		await page.getByRole("heading", { level: 1, name: heading }).waitFor();
		await untilLoaded(page);
		await expectNoErrors(page);
	}
	await screenshot(page, `${name}-phone`);
	const leaving = await holdWrite(page, /\/logout$/);
	const logOut = page.getByRole("button", { name: "Log out" });
	await logOut.click();
	await leaving.arrived;
	expect(await hasFocus(logOut)).toBe(true);
	leaving.release();
	await page.getByRole("link", { name: "Log in with Discord" }).waitFor();
	expect((await page.request.get(`${atelier.origin}/dashboard/api/session`)).status()).toBe(401);
});

test("a member sees their own account only", async () => {
	const { atelier, ada } = await openAtelierWithMembers();
	await answerToImage(ada);
	const page = await openServer(atelier.origin, "Ada");
	await page.getByRole("heading", { name: "My account" }).waitFor();
	await page.getByText("a boat").waitFor();
	expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
	await expectNoErrors(page);
});
