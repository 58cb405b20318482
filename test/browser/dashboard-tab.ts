/** Steps that the browser tests of the dashboard share. */
import type { Page } from "playwright-core";
import { expectNoErrors, type OpenTab, type Tab } from "./browser.ts";

export const PHONE = { width: 360, height: 740, colorScheme: "light" } as const;

/** Logs in as a user of the playground. Resolves on the list of servers. */
export async function logIn(
	open: OpenTab,
	origin: string,
	name: string,
	options: Parameters<OpenTab>[1] = {},
): Promise<Tab> {
	const tab = await open(`${origin}/dashboard/`, { ...options, ready: "main" });
	await expectNoErrors(tab);
	await tab.page.getByRole("link", { name: "Log in with Discord" }).click();
	await tab.page.getByRole("button", { name: new RegExp(name) }).click();
	await tab.page.getByRole("heading", { name: "Servers" }).waitFor();
	return tab;
}

/** Logs in and opens the server of the playground. */
export async function openServer(...parameters: Parameters<typeof logIn>): Promise<Tab> {
	const tab = await logIn(...parameters);
	await tab.page
		.getByRole("link", { name: /Atelier Playground/ })
		.first()
		.click();
	return tab;
}

export const openPage = (page: Page, name: string): Promise<void> =>
	page.getByRole("navigation").getByRole("link", { name, exact: true }).click();

/** Resolves when no list of the page is dimmed, as it is while it is read again. */
export const untilLoaded = (page: Page): Promise<void> =>
	page.locator("[aria-busy=true], .skeleton").first().waitFor({ state: "detached" });
