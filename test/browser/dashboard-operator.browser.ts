/** API keys and the pages of operators in a real browser, with the real bot. */
import { expect, test } from "vitest";
import { openAtelierWithMembers } from "../e2e/start-atelier.ts";
import { answerToImage } from "../e2e/replies.ts";
import { expectNoErrors } from "./browser.ts";
import { logIn, openAdminPage, openPage, PHONE, untilLoaded } from "./dashboard-tab.ts";

test("an admin creates an API key, a program uses it, and the admin revokes it", async () => {
	const { page, atelier, owner } = await openAdminPage("API keys", PHONE);
	const { guild } = await owner.state();
	await page.getByText("No API keys yet.").waitFor();
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByText("Enter a name with at least one letter or digit.").waitFor();
	await expectNoErrors(page);
	await page.getByRole("textbox", { name: "Name" }).fill("deploy script");
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("alert").getByText("Copy this key now.").waitFor();
	const key = await page.getByLabel("New key").inputValue();
	const url = `${atelier.origin}/dashboard/api/servers/${guild.id}/overview`;
	const use = () => fetch(url, { headers: { authorization: `Bearer ${key}` } });
	expect((await use()).status).toBe(200);
	await expectNoErrors(page, "dashboard-keys");

	await openPage(page, "Audit log");
	await page.getByText("API keys").first().waitFor();
	await openPage(page, "API keys");
	await page.getByRole("cell", { name: "deploy script" }).waitFor();
	expect(await page.getByLabel("New key").count()).toBe(0);
	await page.getByRole("button", { name: "Revoke" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	await page.getByText("No API keys yet.").waitFor();
	expect((await use()).status).toBe(401);
	await expectNoErrors(page);
});

test("an operator finds a server, grants it credits, and sees the health of the bot", async () => {
	const { atelier, ada } = await openAtelierWithMembers({ env: { CREDIT_PRICE: "0.01 EUR" } });
	await answerToImage(ada);
	const page = await logIn(atelier.origin, "Robin");
	await page.getByRole("link", { name: "Bot management" }).click();
	await page.getByRole("link", { name: "Atelier Playground" }).waitFor();
	const search = page.getByLabel("Name or ID");
	await search.fill("999");
	await page.getByText("No servers found.").waitFor();
	await search.fill("playgr");
	await page.getByRole("link", { name: "Atelier Playground" }).waitFor();
	await untilLoaded(page);
	await expectNoErrors(page, "operator-servers");
	await page.getByRole("link", { name: "Atelier Playground" }).click();
	await page.getByLabel("Amount").fill("100");
	await page.getByLabel("Reason").fill("a welcome gift");
	await page.getByRole("button", { name: "Grant" }).click();
	await page.getByRole("cell", { name: "a welcome gift" }).waitFor();
	await expectNoErrors(page);

	await openPage(page, "Health");
	await page.getByRole("button", { name: "Run checks" }).click();
	await page.getByRole("heading", { name: "This machine" }).waitFor();
	await expectNoErrors(page);
	await openPage(page, "Studio");
	await page.getByText("This bot", { exact: true }).waitFor();
	expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
	await expectNoErrors(page);
});
