/** API keys and the pages of operators in a real browser, with the real bot. */
import { describe, expect, test } from "vitest";
import { openAtelierWithMembers } from "../e2e/members.ts";
import { answerToImage } from "../e2e/replies.ts";
import { createBrowser, expectNoErrors } from "./browser.ts";
import { logIn, openPage, PHONE, untilLoaded } from "./dashboard-tab.ts";

const open = createBrowser();

describe("the dashboard in a browser", () => {
	test("an admin creates an API key, a program uses it, and the admin revokes it", async () => {
		const { atelier, owner } = await openAtelierWithMembers();
		const { guild } = await owner.state();
		const tab = await logIn(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await page.getByRole("link", { name: /Atelier Playground/ }).click();
		await openPage(page, "API keys");
		await page.getByText("No API keys yet.").waitFor();
		await page.getByRole("button", { name: "Create key" }).click();
		await page.getByText("Enter a name with at least one letter or digit.").waitFor();
		await expectNoErrors(tab);
		await page.getByRole("textbox", { name: "Name" }).fill("deploy script");
		await page.getByRole("button", { name: "Create key" }).click();
		const key = await page.getByLabel("New key").inputValue();
		const use = async (): Promise<number> => {
			const url = `${atelier.origin}/dashboard/api/servers/${guild.id}/overview`;
			return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
		};
		expect(await use()).toBe(200);
		await expectNoErrors(tab, "dashboard-keys");

		await openPage(page, "Changed settings");
		await page.getByText("API keys").first().waitFor();
		await openPage(page, "API keys");
		await page.getByRole("cell", { name: "deploy script" }).waitFor();
		expect(await page.getByLabel("New key").count()).toBe(0);
		await page.getByRole("button", { name: "Revoke" }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
		await page.getByText("No API keys yet.").waitFor();
		expect(await use()).toBe(401);
		await expectNoErrors(tab);
	});

	test("an operator finds a server, grants it credits, and sees the health of the bot", async () => {
		const { atelier, ada } = await openAtelierWithMembers({ env: { CREDIT_PRICE: "0.01 EUR" } });
		await answerToImage(ada);
		const tab = await logIn(open, atelier.origin, "Robin");
		const { page } = tab;
		await page.getByRole("link", { name: "Bot management" }).click();
		await page.getByRole("link", { name: "Atelier Playground" }).waitFor();
		const search = page.getByLabel("Name or ID");
		await search.fill("999");
		await page.getByText("No servers found.").waitFor();
		await search.fill("playgr");
		await page.getByRole("link", { name: "Atelier Playground" }).waitFor();
		await untilLoaded(page);
		await expectNoErrors(tab, "operator-servers");
		await page.getByRole("link", { name: "Atelier Playground" }).click();
		await page.getByLabel("Amount").fill("100");
		await page.getByLabel("Reason").fill("a welcome gift");
		await page.getByRole("button", { name: "Grant" }).click();
		await page.getByRole("cell", { name: "a welcome gift" }).waitFor();
		await expectNoErrors(tab);

		await openPage(page, "Health");
		await page.getByRole("button", { name: "Run checks" }).click();
		await page.getByRole("heading", { name: "This machine" }).waitFor();
		await expectNoErrors(tab);
		await openPage(page, "Studio");
		await page.getByText("This bot", { exact: true }).waitFor();
		expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
		await expectNoErrors(tab);
	});

	test("every page of operators is in order on a phone in light colors", async () => {
		const { atelier, ada } = await openAtelierWithMembers({ env: { CREDIT_PRICE: "0.01 EUR" } });
		await answerToImage(ada);
		const tab = await logIn(open, atelier.origin, "Robin", PHONE);
		const { page } = tab;
		await page.getByRole("link", { name: "Bot management" }).click();
		for (const name of ["Servers", "Health", "Studio"]) {
			await openPage(page, name);
			await expect.poll(() => page.getByRole("heading", { level: 1, name }).isVisible()).toBe(true);
			await untilLoaded(page);
			await expectNoErrors(tab, `operator-${name.toLowerCase()}-phone`);
		}
	});
});
