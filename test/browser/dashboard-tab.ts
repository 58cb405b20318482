/** Steps that the browser tests of the dashboard share. */
import type { Page, Request } from "playwright-core";
import { openAtelierWithMembers } from "../e2e/start-atelier.ts";
import { openTab, type PageOptions } from "./browser.ts";

export const PHONE = { width: 360, height: 740, colorScheme: "light" } as const;

/** Logs in as a user of the playground. Resolves on the list of servers. */
export async function logIn(origin: string, name: string, options: PageOptions = {}): Promise<Page> {
	const page = await openTab(`${origin}/dashboard/`, { ...options, ready: "main" });
	await page.getByRole("link", { name: "Log in with Discord" }).click();
	await page.getByRole("button", { name: new RegExp(name) }).click();
	await page.getByRole("heading", { name: "Servers" }).waitFor();
	return page;
}

/** Logs in and opens the server of the playground. */
export async function openServer(...parameters: Parameters<typeof logIn>): Promise<Page> {
	const page = await logIn(...parameters);
	await page
		.getByRole("link", { name: /Atelier Playground/ })
		.first()
		.click();
	return page;
}

/** Starts a bot, and opens a page of the server for Robin, who manages it. */
export async function openAdminPage(name: string, options: PageOptions = {}) {
	const server = await openAtelierWithMembers();
	const page = await openServer(server.atelier.origin, "Robin", options);
	await openPage(page, name);
	return { ...server, page };
}

export const openPage = (page: Page, name: string): Promise<void> =>
	page.getByRole("navigation").getByRole("link", { name, exact: true }).click();

/** Resolves when no list of the page is dimmed, as it is while it is read again. */
export const untilLoaded = (page: Page): Promise<void> =>
	page.locator("[aria-busy=true], .skeleton").first().waitFor({ state: "detached" });

/** The page reads again, as if the reader had been in another tab. */
export const returnToTab = (page: Page): Promise<void> =>
	page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');

export async function fillGrant(page: Page): Promise<void> {
	await page.getByLabel("Amount").fill("5");
	await page.getByLabel("Reason").fill("a gift");
}

export async function sendGrant(page: Page): Promise<void> {
	await fillGrant(page);
	await page.getByRole("button", { name: "Grant", exact: true }).click();
}

export async function save(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Saved.").first().waitFor();
}

/** Changes the responses to a request. */
export async function changeResponses(page: Page, address: RegExp, change: (body: object) => object): Promise<void> {
	await page.route(address, async (route) => {
		const response = await route.fetch();
		await route.fulfill({ response, json: change((await response.json()) as object) });
	});
}

/** Holds the first write to an address, which `arrived` resolves to. It then gets `answer`; without one, it continues. */
export async function holdWrite(page: Page, address: RegExp, answer?: "lost" | { status: number; json: object }) {
	const arrived = Promise.withResolvers<Request>();
	const late = Promise.withResolvers<void>();
	let isHeld = false;
	await page.route(address, async (route) => {
		if (isHeld || route.request().method() === "GET") return await route.continue();
		isHeld = true;
		arrived.resolve(route.request());
		await late.promise;
		if (answer === "lost") await route.abort();
		else if (answer) await route.fulfill(answer);
		else await route.continue();
	});
	return { arrived: arrived.promise, release: late.resolve };
}

/** Resolves when the page has handled the response. */
export async function untilReceived(page: Page, request: Request): Promise<void> {
	await (await request.response())?.finished();
	await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
}
