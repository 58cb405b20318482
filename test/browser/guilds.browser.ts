/** Servers in a real browser with the real bot. */
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier, userIdOf } from "../e2e/start-atelier.ts";
import { expectNoErrors, openTab } from "./browser.ts";

test("a user switches between guilds, and a guild with unread messages is marked", async () => {
	const { atelier, userClient } = await openAtelier();
	const page = await openTab(atelier.origin);
	const server = (name: RegExp) => page.getByRole("list", { name: "Servers" }).getByRole("button", { name });
	await page.locator(".command-card").first().waitFor();
	await expectNoErrors(page, "servers-first-dark");
	await page.getByRole("button", { name: "gallery", exact: true }).click();

	// By keyboard only: to the next guild in the list, and into it.
	await server(/Atelier Playground/).focus();
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { level: 2, name: "Werkstatt Nord" }).waitFor();
	expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("werkbank");
	expect(await server(/Werkstatt Nord/).getAttribute("aria-current")).toBe("page");
	const members = page.getByRole("complementary", { name: "Members" });
	await members.getByText("Clara").waitFor();
	expect(await members.getByText("Yuki").count()).toBe(0);

	await (await userClient.type("/help")).until();
	await (await userClient.type("/image", { prompt: "a boat" })).until();
	await server(/Atelier Playground, unread messages/).waitFor();
	await expectNoErrors(page, "servers-unread-dark");
	await page.emulateMedia({ colorScheme: "light" });
	await expectNoErrors(page, "servers-unread-light");

	// The admin panel changes the open server only.
	await page.getByRole("button", { name: "Admin panel" }).click();
	await page.getByRole("combobox", { name: "Boosts" }).selectOption("level 1, 10 MB");
	await expect.poll(async () => (await openAdminClient(atelier.origin).state()).guildCount).toBe(2);
	const [, there] = (await userClient.state()).guilds;
	await expect
		.poll(async () => (await openAdminClient(atelier.origin, there?.id).state()).guildSettings.boostLevel)
		.toBe(1);
	expect((await openAdminClient(atelier.origin).state()).guildSettings.boostLevel).toBe(0);
	await page.keyboard.press("Escape");

	// The page returns to the earlier channel, and so does the browser's back button.
	await server(/Atelier Playground/).click();
	await page.getByRole("heading", { level: 2, name: "Atelier Playground" }).waitFor();
	expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("gallery");
	await page.goBack();
	await page.getByRole("heading", { level: 2, name: "Werkstatt Nord" }).waitFor();
});

test("the owner of a guild removes the bot, and adds it again", async () => {
	const { atelier, userClient } = await openAtelier();
	const { users, guilds } = await userClient.state();
	const lena = userIdOf(users, "Lena");
	const page = await openTab(`${atelier.origin}/?user=${lena}&guild=${guilds[1]?.id}`);
	await page.locator(".command-card").first().waitFor();
	const members = page.getByRole("complementary", { name: "Members" });
	await members.getByRole("button", { name: "Actions for Atelier" }).click();
	await page.getByRole("menuitem", { name: "Remove from this server" }).click();
	await members.getByText("Atelier is not in this server.").waitFor();
	await page.locator(".command-card").first().waitFor({ state: "detached" });
	await expectNoErrors(page, "server-without-bot-dark");
	await page.emulateMedia({ colorScheme: "light" });
	await expectNoErrors(page);
	await members.getByRole("button", { name: "Add Atelier" }).click();
	await page.locator(".command-card").first().waitFor();
	expect(await members.getByText("Atelier is not in this server.").count()).toBe(0);
});

test("the first twelve of a thousand guilds, the members and the admin panel are usable on a phone", async () => {
	const { atelier } = await openAtelier();
	await openAdminClient(atelier.origin).setGuildCount({ count: 1_000 });
	const page = await openTab(atelier.origin, { width: 360, height: 740 });
	await page.locator(".command-card").first().waitFor();
	await expectNoErrors(page, "phone-dark");
	await page.getByRole("button", { name: "Members" }).click();
	await page.getByRole("complementary", { name: "Members" }).getByText("Yuki").waitFor();
	await expectNoErrors(page);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Admin panel" }).click();
	await page.getByRole("heading", { name: "Admin panel" }).waitFor();
	await expectNoErrors(page);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Channels" }).click();
	const rail = page.getByRole("list", { name: "Servers" });
	await page.getByText("+988").waitFor();
	await rail.getByRole("button", { name: "Server 3" }).waitFor();
	expect(await rail.getByRole("button").count()).toBe(12);
	await expectNoErrors(page, "servers-phone-dark");
	await rail.getByRole("button", { name: "Server 3" }).click();
	await page.getByRole("heading", { level: 2, name: "Server 3" }).waitFor();
	await page.emulateMedia({ colorScheme: "light" });
	await expectNoErrors(page, "servers-phone-light");
});
