/** The contents of messages and modals in a real browser, sent by a bot that speaks the gateway protocol itself. */
import {
	ApplicationCommandOptionType,
	ButtonStyle,
	ComponentType,
	InteractionResponseType,
	InteractionType,
	MessageFlags,
	TextInputStyle,
} from "discord-api-types/v10";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openPlayground } from "@atelier/playground/testing/setup";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { expectNoErrors, hasFocus, openTab, screenshot } from "./browser.ts";

/** The default height of the window in `openTab`. */
const WINDOW_HEIGHT_PX = 800;
const labeled = (label: string, component: object) => ({ type: ComponentType.Label, label, component });
const textDisplay = (content: string) => ({ type: ComponentType.TextDisplay, content });
const GO_BUTTON = { type: ComponentType.Button, style: ButtonStyle.Primary, label: "Go", custom_id: "go" };
const GO_ROW = { type: ComponentType.ActionRow, components: [GO_BUTTON] };
const media = (name: string, spoiler = false) => ({ media: { url: `attachment://${name}` }, spoiler });

/** Reads the validation message that the browser shows for a form field. */
const problemOf = (field: Locator): Promise<unknown> =>
	field.evaluate((input) => "validationMessage" in input && input.validationMessage);

/** A bitmap, whose size the playground cannot read. */
function bitmap(width: number, height: number): Buffer {
	const header = Buffer.alloc(62);
	header.write("BM", "latin1");
	header.writeUInt32LE(header.length, 10);
	header.writeUInt32LE(40, 14);
	header.writeInt32LE(width, 18);
	header.writeInt32LE(height, 22);
	header.writeUInt16LE(1, 26);
	header.writeUInt16LE(1, 28);
	return Buffer.concat([header, Buffer.alloc(Math.ceil(width / 32) * 4 * height)]);
}

async function openChannel() {
	const playground = await openPlayground();
	const bot = await playground.bot();
	const [channel] = (await (await playground.user()).state()).channels;
	const post = (body: object, names: readonly string[] = []) => {
		const files = names.map((name) => ({ name, bytes: fakePng(name) }));
		return playground.rest("POST", `/channels/${channel?.id}/messages`, body, { files });
	};
	/** Resolves to the next interaction of the user, of this type if one is given. */
	const nextInteraction = async (type?: InteractionType) => {
		const { d } = await bot.gateway.until(
			({ t, d: sent }) => t === "INTERACTION_CREATE" && (type === undefined || sent["type"] === type),
		);
		return await bot.interaction(String(d["id"]));
	};
	return { playground, post, nextInteraction, page: await openTab(playground.origin) };
}

test("HTML and script URLs in a message never become elements or links", async () => {
	const { post, page } = await openChannel();
	const hostile = "<img src=x onerror=alert(1)>";
	const embed = {
		title: hostile,
		url: "https://example.com/?q=1",
		description: `**bold** [no](javascript:alert(1)) ${hostile}`,
		fields: [{ name: hostile, value: "[yes](https://example.com/yes)", inline: true }],
		image: { url: "https://example.com/a.png" },
	};
	await post({ content: `${hostile} ||secret|| \`code\`\n> quote\n- item <t:0:d> <@1>`, embeds: [embed] });
	const message = page.locator(".message");
	await message.getByText("bold").waitFor();
	expect(await message.getByText(hostile).count()).toBe(4);
	const top = async (part: string) => (await message.locator(part).first().boundingBox())?.y ?? Number.NaN;
	expect(await top(".author-line")).toBeLessThan(await top(".message-body"));
	expect(await message.locator("img, script, iframe").count()).toBe(0);
	const links = await message.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
	expect(links).toStrictEqual(["https://example.com/?q=1", "https://example.com/yes", "https://example.com/a.png"]);
	await message.getByRole("button", { name: "Spoiler, press to show" }).press("Enter");
	await message.locator(".spoiler:not([role]):focus").getByText("secret").waitFor();
	const file = { media: { url: "http://localhost/playground/media/100%.txt" } };
	const components = [{ type: ComponentType.MediaGallery, items: [file] }];
	await post({ flags: MessageFlags.IsComponentsV2, components });
	await page.getByText("100%.txt").waitFor();
	await expectNoErrors(page);
});

test("mentions and pings of the bot and of everyone, titles with formatting, and spoilers of containers look like in Discord", async () => {
	const { playground, post, page } = await openChannel();
	await post({ content: `<@${playground.applicationId}> @everyone`, embeds: [{ title: "**bold** title" }] });
	await page.locator(".mention:not([data-quiet])", { hasText: "@Atelier" }).waitFor();
	await page.locator(".mention:not([data-quiet])", { hasText: "@everyone" }).waitFor();
	await page.locator(".embed-title strong", { hasText: "bold" }).waitFor();
	await post({ content: "@everyone", allowed_mentions: { parse: [] } });
	const quiet = page.locator(".message").nth(1);
	await quiet.getByText("@everyone").waitFor();
	expect(await quiet.locator(".mention").count()).toBe(0);
	expect(await page.locator(".message[data-ping]").count()).toBe(1);
	const container = { type: ComponentType.Container, spoiler: true, components: [textDisplay("the end"), GO_ROW] };
	await post({ flags: MessageFlags.IsComponentsV2, components: [container] });
	const covered = page.locator(".covered", { has: page.locator(".container") });
	await covered.locator("[inert]").waitFor({ state: "attached" });
	await covered.getByRole("button", { name: "Spoiler" }).click();
	await page.locator(".uncovered button:focus", { hasText: "Go" }).waitFor();
	await post({ flags: MessageFlags.IsComponentsV2, components: [{ ...container, components: [textDisplay("no")] }] });
	await page.getByRole("button", { name: "Spoiler" }).press("Enter");
	await page.locator(".uncovered :focus", { hasText: "no" }).waitFor();
	await expectNoErrors(page);
});

test("components of version 2 lay out text and images, and the viewer steps through them", async () => {
	const { post, page } = await openChannel();
	const url = "https://example.com/docs";
	const link = { type: ComponentType.Button, style: ButtonStyle.Link, label: "Docs", url };
	const components = [
		textDisplay("# Title"),
		{ type: ComponentType.MediaGallery, items: [media("a.png"), media("b.png"), media("c.png", true)] },
		{
			type: ComponentType.Container,
			accent_color: 0xff0000,
			components: [
				{
					type: ComponentType.Section,
					components: [textDisplay("text")],
					accessory: { type: ComponentType.Thumbnail, ...media("a.png", true) },
				},
				{ type: ComponentType.Separator },
				{ type: ComponentType.ActionRow, components: [link] },
			],
		},
	];
	await post({ flags: MessageFlags.IsComponentsV2, components }, ["a.png", "b.png", "c.png"]);
	await page.getByRole("heading", { name: "Title" }).waitFor();
	expect(await page.locator(".container a").getAttribute("href")).toBe("https://example.com/docs");
	const thumbnail = await page.locator(".section .covered").boundingBox();
	expect(thumbnail?.height).toBeLessThanOrEqual(thumbnail?.width ?? 0);
	const enlarge = page.getByRole("button", { name: "Enlarge: a.png" }).first();
	const viewer = page.getByRole("dialog", { name: "Image" });
	await enlarge.click();
	await viewer.getByText("a.png (1 of 2)").waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Spoiler" }).first().click();
	await expectNoErrors(page);

	await enlarge.click();
	await viewer.getByText("a.png (1 of 3)").waitFor();
	await page.keyboard.press("ArrowLeft");
	await viewer.getByText("c.png (3 of 3)").waitFor();
	await viewer.getByRole("button", { name: "Next" }).click();
	await viewer.getByText("a.png (1 of 3)").waitFor();
	await viewer.getByRole("button", { name: "Previous" }).click();
	await viewer.getByText("c.png (3 of 3)").waitFor();
	await expectNoErrors(page, "viewer-dark");
	await page.keyboard.press("Escape");
	await viewer.waitFor({ state: "detached" });
});

test("a wide image of unknown size is as wide as a gallery", async () => {
	const { playground, page } = await openChannel();
	const user = await playground.user();
	const sent = await user.say("A coast", { files: [{ name: "coast.png", bytes: bitmap(1_200, 200) }] });
	expect(sent.attachments[0]?.width ?? null).toBe(null);
	const image = page.getByRole("img", { name: "coast.png" });
	await expect.poll(async () => Math.round((await image.boundingBox())?.height ?? 0)).toBeGreaterThan(20);
	expect(Math.round((await image.boundingBox())?.width ?? 0)).toBe(560);
	await expectNoErrors(page);
});

test("a double click presses once, and the focus stays on a button that an edit moves or disables", async () => {
	const { playground, nextInteraction, post, page } = await openChannel();
	await post({ content: "Step 1", components: [GO_ROW] });
	const go = page.getByRole("button", { name: "Go", exact: true });
	await go.focus();
	const back = { ...GO_BUTTON, label: "Back", custom_id: "back" };
	const path = `${await playground.channel()}/messages/${await page.locator(".message").getAttribute("data-id")}`;
	await playground.rest("PATCH", path, {
		content: "Step 2",
		components: [{ ...GO_ROW, components: [back, GO_BUTTON] }],
	});
	await page.getByText("Step 2").waitFor();
	expect(await page.locator(":focus").textContent()).toContain("Go");

	let pressCount = 0;
	page.on("request", (request) => (pressCount += Number(request.url().includes("/press?"))));
	await go.dblclick();
	const pressed = await nextInteraction();
	const disabled = { ...GO_ROW, components: [back, { ...GO_BUTTON, disabled: true }] };
	const data = { content: "Step 3", components: [disabled] };
	await pressed.callback({ type: InteractionResponseType.UpdateMessage, data });
	await page.getByText("Step 3").waitFor();
	expect([pressCount, await go.isDisabled()]).toStrictEqual([1, true]);
	expect(await page.locator(":focus").textContent()).toContain("Go");

	const rows = ["a", "b", "c"].map((id) => ({ ...GO_ROW, components: [{ ...GO_BUTTON, custom_id: id }] }));
	await playground.rest("PATCH", path, { content: "Step 4", components: rows });
	await page.getByText("Step 4").waitFor();
	await go.last().focus();
	await playground.rest("PATCH", path, { content: "Step 5", components: rows.slice(0, 2) });
	await page.getByText("Step 5").waitFor();
	expect(await hasFocus(go.last())).toBe(true);
});

test("a reply quotes its message and links to it, and a press of a button on an old message scrolls to the response", async () => {
	const { nextInteraction, post, page } = await openChannel();
	await post({ content: "The **first** message", components: [GO_ROW] });
	const fillers = Array.from({ length: 30 }, (_, at) => `Message ${at}`);
	for (const content of fillers) await post({ content });
	const firstId = await page.locator(".message").first().getAttribute("data-id");
	await post({ content: "An answer", message_reference: { message_id: firstId } });
	const quote = page.getByTitle("Go to this message");
	await quote.waitFor();
	await screenshot(page, "reply-dark");
	const go = page.getByRole("button", { name: "Go", exact: true });
	const isSeen = async (text: string) => {
		const box = await page.locator(".paragraph").getByText(text, { exact: true }).boundingBox();
		return box !== null && box.y >= 0 && box.y + box.height <= WINDOW_HEIGHT_PX;
	};
	expect(await isSeen("Message 0")).toBe(false);
	await quote.click();
	await expect.poll(() => isSeen("Message 0")).toBe(true);
	await go.click();
	const response = { type: InteractionResponseType.ChannelMessageWithSource, data: { content: "Pressed" } };
	await (await nextInteraction()).callback(response);
	await page.getByText("Pressed", { exact: true }).waitFor();
	await expect.poll(() => isSeen("Pressed")).toBe(true);
	await expectNoErrors(page);
});

test("an open panel leaves the end of the conversation in view, a double click on a menu button runs no entry, and a long menu scrolls", async () => {
	const { post, page } = await openChannel();
	for (let at = 0; at < 12; at++) await post({ content: `${at} ${"A long line of the log of the boat. ".repeat(12)}` });
	await post({ content: "The end" });
	const end = page.locator(".message", { hasText: "The end" });
	await end.waitFor();
	const isEndSeen = async () => {
		const [row, log] = [await end.boundingBox(), await page.getByRole("log").boundingBox()];
		return row !== null && log !== null && row.y + row.height <= log.y + log.height + 1;
	};
	for (const panel of ["Requests", "Admin panel"]) {
		await page.getByRole("button", { name: panel }).click();
		await expect.poll(isEndSeen).toBe(true);
	}
	await page.keyboard.press("Escape");
	// The window is so low that the menu covers its button.
	await page.setViewportSize({ width: 700, height: 320 });
	await end.hover();
	await end.getByRole("button", { name: "Actions for this message" }).dblclick();
	await page.getByRole("menuitem", { name: "Reply" }).waitFor();
	await page.keyboard.press("Escape");
	expect(await page.locator(".reply-bar").count()).toBe(0);
	await end.click({ button: "right" });
	const last = page.getByRole("menuitem").last();
	await last.scrollIntoViewIfNeeded();
	const box = await last.boundingBox();
	expect(box && box.y + box.height).toBeLessThanOrEqual(320);
	await expectNoErrors(page);
});

test("a reply ends when its message is deleted, and a long thread name fits a narrow page", async () => {
	const { playground, page } = await openChannel();
	const user = await playground.user();
	const message = await user.say("A boat");
	const row = page.locator(".message", { hasText: "A boat" });
	await row.click({ button: "right" });
	await page.getByRole("menuitem", { name: "Reply" }).click();
	await page.locator(".message[data-target]").waitFor();
	await user.delete(message);
	await page.getByText("Replying to").waitFor({ state: "detached" });
	await user.startThread(
		"The very long name of a thread about boats and the harbor they came from, ".repeat(2).slice(0, 99),
	);
	await page.setViewportSize({ width: 390, height: 800 });
	await page.getByRole("button", { name: "Channels", exact: true }).click();
	await page
		.getByRole("list", { name: "Channels" })
		.getByRole("button", { name: /^The very long/ })
		.click();
	await page.getByRole("heading", { level: 1, name: /^The very long/ }).waitFor();
	await screenshot(page, "long-thread-narrow-dark");
	const box = await page.getByRole("button", { name: "Members" }).boundingBox();
	expect(box && box.x + box.width).toBeLessThanOrEqual(390);
	await expectNoErrors(page);
});

test("a command without a response shows the reason, and Try again brings its options back", async () => {
	const { playground, nextInteraction, page } = await openChannel();
	const { String: text, Attachment, Integer } = ApplicationCommandOptionType;
	const options = [
		{ type: text, name: "text", description: "Text", required: true },
		{ type: Attachment, name: "file", description: "A file" },
		{ type: Integer, name: "count", description: "How many", min_value: 1, max_value: 4 },
	];
	await playground.register({ name: "make", description: "Makes it", options });
	await page.locator(".command-card").waitFor();
	await page.locator("#composer-input").focus();
	await page.keyboard.insertText("/make text: a boat count: 9");
	await page.getByLabel("count: How many").waitFor();
	await page.keyboard.press("Enter");
	await page.getByText("This must be 4 or less.").waitFor();
	await expectNoErrors(page);
	await page.keyboard.press("Backspace");
	await page.keyboard.press("Backspace");
	const dropped = `(() => {
		const transfer = new DataTransfer();
		transfer.items.add(new File(["x"], "dropped.txt", { type: "text/plain" }));
		document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
	})()`;
	await page.evaluate(dropped);
	await page.getByRole("button", { name: "file: dropped.txt. A file" }).waitFor();
	await page.keyboard.press("Enter");
	const { payload } = await nextInteraction();
	expect(payload).toMatchObject({ data: { options: [{ value: "a boat" }, { name: "file" }] } });
	await page.getByText("Sending command").waitFor();
	await playground.clock.advance(4_000);
	await page.getByText("The application did not respond").first().waitFor();
	await expectNoErrors(page);
	await page.getByRole("button", { name: "Try again" }).click();
	await page.getByLabel("text: Text").waitFor();
	// Leaves the option, then the command.
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Dismiss" }).click();
	expect(await page.locator(".message").count()).toBe(0);
});

test("a modal has text, radio, checkbox group, menu and file fields, and shows validation errors", async () => {
	const { nextInteraction, post, page } = await openChannel();
	await post({ content: "x", components: [GO_ROW] });
	await page.getByRole("button", { name: "Go" }).click();
	const textInput = { type: ComponentType.TextInput, custom_id: "name" };
	const options = ["a", "b", "c"].map((value) => ({ label: `Choice ${value}`, value }));
	const components = [
		labeled("Name", { ...textInput, style: TextInputStyle.Paragraph, min_length: 3, max_length: 20 }),
		labeled("One", { type: ComponentType.RadioGroup, custom_id: "one", options }),
		labeled("Some", { type: ComponentType.CheckboxGroup, custom_id: "some", options, min_values: 2 }),
		labeled("Menu", { type: ComponentType.StringSelect, custom_id: "menu", options }),
		labeled("File", { type: ComponentType.FileUpload, custom_id: "file" }),
	];
	const pressed = await nextInteraction(InteractionType.MessageComponent);
	const modal = { custom_id: "form", title: "Form", components };
	await pressed.callback({ type: InteractionResponseType.Modal, data: modal });
	const dialog = page.getByRole("dialog", { name: "Form" });
	const submit = dialog.getByRole("button", { name: "Submit" });
	await dialog.getByText("Choice a").first().waitFor();
	await expectNoErrors(page);
	const name = dialog.getByLabel("Name");
	await submit.click();
	expect(await problemOf(name)).toBe("This is required.");
	expect(await hasFocus(name)).toBe(true);
	await expectNoErrors(page);
	await name.pressSequentially("a\n");
	await submit.click();
	expect(await problemOf(name)).toBe("This must have at least 3 characters.");
	await name.pressSequentially("b");
	expect(await problemOf(name)).toBe("");
	await dialog.getByRole("group", { name: "One" }).getByLabel("Choice b").check();
	await dialog.getByRole("group", { name: "Some" }).getByLabel("Choice a").check();
	await dialog.getByLabel("Menu").selectOption("Choice c");
	await dialog.getByLabel("File").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
	await submit.click();
	expect(await problemOf(dialog.getByRole("group", { name: "Some" }).getByLabel("Choice a"))).toBe(
		"Choose at least 2.",
	);
	await dialog.getByRole("group", { name: "Some" }).getByLabel("Choice c").check();
	await expectNoErrors(page);
	await submit.click();
	const sent = await nextInteraction(InteractionType.ModalSubmit);
	expect(sent.payload).toMatchObject({
		data: {
			components: [
				{ component: { value: "a\nb" } },
				{ component: { value: "b" } },
				{ component: { values: ["a", "c"] } },
				{ component: { values: ["c"] } },
				{ component: { values: [expect.any(String)] } },
			],
		},
	});
	await sent.callback({ type: InteractionResponseType.ChannelMessageWithSource, data: { content: "done" } });
	await dialog.waitFor({ state: "detached" });
	await page.locator("button:focus", { hasText: "Go" }).waitFor();
});

test("a form that is sent keeps the focus, and if it is closed meanwhile still shows why it failed", async () => {
	const { playground, nextInteraction, post, page } = await openChannel();
	await post({ content: "x", components: [GO_ROW] });
	await page.getByRole("button", { name: "Go" }).click();
	const modal = { custom_id: "form", title: "Form", components: [textDisplay("Sure?")] };
	const pressed = await nextInteraction(InteractionType.MessageComponent);
	await pressed.callback({ type: InteractionResponseType.Modal, data: modal });
	const dialog = page.getByRole("dialog", { name: "Form" });
	await dialog.getByRole("button", { name: "Submit" }).click();
	await nextInteraction(InteractionType.ModalSubmit);
	expect(await hasFocus(dialog.getByRole("button", { name: "Sending…" }))).toBe(true);
	await dialog.getByRole("button", { name: "Cancel" }).click();
	await dialog.waitFor({ state: "detached" });
	await playground.clock.advance(4_000);
	expect(await page.locator(".toast").textContent()).toBe("Something went wrong, try again");
});
