/** Changes on the dashboard whose responses are lost or come late, in a real browser with the real bot. */
import { expect, test } from "vitest";
import { hasFocus } from "./browser.ts";
import {
	changeResponses,
	fillGrant,
	holdWrite,
	openAdminPage,
	openPage,
	returnToTab,
	sendGrant,
	untilLoaded,
} from "./dashboard-tab.ts";

const GRANT = /credits\/grant$/;

test("a grant with an unknown outcome is repeated as it was sent, also after an edit meanwhile and on a return to the page", async () => {
	const { page } = await openAdminPage("Credits");
	const lost = await holdWrite(page, GRANT, "lost");
	const sent: unknown[] = [];
	page.on("request", (request) => void (GRANT.test(request.url()) && sent.push(request.postDataJSON())));
	await sendGrant(page);
	await lost.arrived;
	const amount = page.getByLabel("Amount");
	await amount.fill("70");
	await page.getByRole("radio", { name: "Revoke" }).check();
	lost.release();
	const notice = page.getByRole("alert").getByText("This may not have worked. You can safely try again");
	await notice.waitFor();
	expect(await amount.inputValue()).toBe("5");
	await openPage(page, "Usage");
	await openPage(page, "Credits");
	await notice.waitFor();
	expect(await amount.isDisabled()).toBe(true);
	await page.getByRole("button", { name: "Try again" }).click();
	await page.getByText("Granted 5 credits.").waitFor();
	expect(sent).toStrictEqual([sent[0], sent[0]]);
	expect(await amount.inputValue()).toBe("");
});

test("discarding a grant with an unknown outcome moves the focus to the amount", async () => {
	const { page } = await openAdminPage("Credits");
	await page.route(GRANT, async (route) => await route.abort());
	await sendGrant(page);
	await page.getByRole("button", { name: "Discard" }).click();
	const amount = page.getByLabel("Amount");
	await expect.poll(() => hasFocus(amount)).toBe(true);
	expect(await amount.inputValue()).toBe("");
});

test("a lost response to a grant or a new key is reported after the admin has left the page or the session has ended", async () => {
	const { page } = await openAdminPage("API keys");
	const key = await holdWrite(page, /\/keys$/);
	const grant = await holdWrite(page, GRANT, "lost");
	await page.getByLabel("Name", { exact: true }).fill("backup");
	await page.getByRole("button", { name: "Create key" }).click();
	await openPage(page, "Credits");
	key.release();
	const created = page.getByRole("alert").getByText("“backup” was created, but you left");
	await created.waitFor();
	await sendGrant(page);
	await page.context().clearCookies();
	await openPage(page, "Usage");
	await page.getByText("Your session has ended.").waitFor();
	grant.release();
	await page.getByRole("alert").getByText("Check the history on the Credits page").waitFor();
	expect(await created.count()).toBe(1);
});

test("a grant with an unknown outcome and a typed style are offered again after the log-in", async () => {
	const { page } = await openAdminPage("Settings");
	const name = page.getByRole("group", { name: "New style" }).getByLabel("Name", { exact: true });
	await name.fill("Ink");
	await openPage(page, "Credits");
	await page.route(GRANT, async (route) => await route.abort());
	await sendGrant(page);
	const retry = page.getByRole("button", { name: "Try again" });
	await retry.waitFor();
	await page.context().clearCookies();
	await returnToTab(page);
	await page.getByText("Your session has ended.").waitFor();
	await page.unroute(GRANT);
	await page.getByRole("link", { name: "Log in with Discord" }).click();
	await page.getByRole("button", { name: /Robin/ }).click();
	await retry.click();
	await page.getByText("Granted 5 credits.").waitFor();
	await openPage(page, "Settings");
	expect(await name.inputValue()).toBe("Ink");
});

test("a change that fails after the admin has left its page is reported on the next page", async () => {
	const { page } = await openAdminPage("Credits");
	const denied = await holdWrite(page, GRANT, {
		status: 422,
		json: { error: { code: "denied", message: "Not today." } },
	});
	await sendGrant(page);
	await openPage(page, "Usage");
	denied.release();
	await page.getByRole("alert").getByText("Not today.").waitFor();
	expect(new URL(page.url()).pathname).toMatch(/\/usage$/);
});

test("a filled-in grant stays a grant when managers lose the right to grant", async () => {
	const { page } = await openAdminPage("Credits");
	await fillGrant(page);
	await changeResponses(page, /\/overview$/, (overview) => ({ ...overview, mayGrant: false }));
	const reading = page.waitForResponse(/\/overview$/);
	await returnToTab(page);
	await reading;
	await untilLoaded(page);
	expect(await page.getByRole("radio", { name: "Grant" }).isChecked()).toBe(true);
	await page.getByRole("button", { name: "Grant", exact: true }).waitFor();
	for (const label of ["Amount", "Reason"]) await page.getByLabel(label).fill("");
	await page.getByRole("button", { name: "Revoke", exact: true }).waitFor();
	expect(await page.getByRole("radio").count()).toBe(0);
});

test("a half-typed style and grant stay when the admin opens another page", async () => {
	const { page } = await openAdminPage("Settings");
	const name = page.getByRole("group", { name: "New style" }).getByLabel("Name", { exact: true });
	await name.fill("Ink");
	await openPage(page, "Credits");
	await fillGrant(page);
	await openPage(page, "Settings");
	expect(await name.inputValue()).toBe("Ink");
	await openPage(page, "Credits");
	expect(await page.getByLabel("Amount").inputValue()).toBe("5");
});
