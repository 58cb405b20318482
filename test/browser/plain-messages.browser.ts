/** Plain messages on the page of the playground in a real browser. */
import { type APIMessage, type APIWebhook, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { openPlayground } from "@atelier/playground/testing/setup";
import { expectNoErrors, openTab, screenshot } from "./browser.ts";

const INTENTS = GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

test("a member writes, replies from the menu of a message, and deletes an own message", async () => {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents: INTENTS });
	const ada = await playground.userNamed("ada");
	const question = await ada.say("Where is the **boat**?");
	const page = await openTab(playground.origin, { colorScheme: "light" });
	const composer = page.locator("#composer-input");
	await page.getByText("Where is the boat?").waitFor();

	await page.getByText("Where is the boat?").click({ button: "right" });
	await page.getByRole("menuitem", { name: "Reply" }).click();
	await page.getByText("Replying to Ada").waitFor();
	await expectNoErrors(page);
	await composer.fill("In the harbor");
	// The key belongs to an input method.
	await composer.dispatchEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true });
	expect(await composer.inputValue()).toBe("In the harbor");
	await screenshot(page, "reply-light");
	await composer.press("Enter");
	await page.locator(".message").getByText("In the harbor").waitFor();
	expect(await composer.inputValue()).toBe("");
	const { d: reply } = await bot.gateway.until(
		({ t, d }) => t === "MESSAGE_CREATE" && d["content"] === "In the harbor",
	);
	expect(reply).toMatchObject({ message_reference: { message_id: question.id }, author: { username: "robin" } });

	await composer.fill("/nothing");
	await composer.press("Enter");
	await page.getByRole("alert").getByText("There is no command /nothing here").waitFor();
	await composer.fill("");

	await ada.react(question, "⛵");
	const adaReaction = page.getByRole("button", { name: "⛵, 1 reaction", pressed: false });
	await adaReaction.click();
	await page.getByRole("button", { name: "⛵, 2 reactions", pressed: true }).waitFor();
	await page.locator(".message").getByText("Where is the boat?").first().click({ button: "right" });
	await page.getByRole("menuitem", { name: "React with 🎉" }).click();
	await page.getByRole("button", { name: "🎉, 1 reaction", pressed: true }).waitFor();
	await expectNoErrors(page, "reactions-light");
	await page.getByRole("button", { name: "⛵, 2 reactions" }).click();
	await adaReaction.waitFor();

	await page.locator(".message").getByText("In the harbor").click({ button: "right" });
	await page.getByRole("menuitem", { name: "Edit message" }).click();
	const text = page.getByRole("dialog", { name: "Edit message" }).getByRole("textbox", { name: "Text" });
	expect(await text.inputValue()).toBe("In the harbor");
	await text.pressSequentially(", I think");
	await expectNoErrors(page, "edit-light");
	await page.getByRole("button", { name: "Save" }).click();
	await bot.gateway.until(({ t, d }) => t === "MESSAGE_UPDATE" && d["content"] === "In the harbor, I think");
	await page.locator(".message").getByText("In the harbor, I think").click({ button: "right" });
	await page.getByRole("menuitem", { name: "Delete message" }).click();
	await bot.gateway.until(({ t, d }) => t === "MESSAGE_DELETE" && d["id"] === reply["id"]);
	await page.locator(".message").getByText("In the harbor").waitFor({ state: "detached" });
	await expectNoErrors(page);
});

test("a member votes in a poll, reads a message of a webhook, and starts a thread from it", async () => {
	const playground = await openPlayground();
	const { rest } = playground;
	await playground.setBotPermissions(PermissionFlagsBits.ManageWebhooks);
	const bot = await playground.bot({ intents: GatewayIntentBits.GuildMessagePolls | GatewayIntentBits.Guilds });
	const channel = await playground.channel();
	const ada = await playground.userNamed("ada");
	const webhook = (await rest("POST", `${channel}/webhooks`, { name: "Harbor News" })).body as APIWebhook;
	const content = "The fleet sails today <:boat:100000000000000000>";
	await rest("POST", `/webhooks/${webhook.id}/${webhook.token}`, { content });
	const poll = (
		await rest("POST", `${channel}/messages`, {
			poll: {
				question: { text: "Where to?" },
				answers: [
					{ poll_media: { text: "Harbor", emoji: { name: "⛵" } } },
					{ poll_media: { text: "Beach", emoji: { name: "🏖️" } } },
				],
			},
		})
	).body as APIMessage;
	await ada.vote(poll, 2);

	const page = await openTab(playground.origin, { colorScheme: "light" });
	const news = page.locator(".message", { hasText: "The fleet sails today" });
	await news.getByText("Harbor News").waitFor();
	await news.getByText(":boat:").waitFor();
	await page.getByText(/1 vote · ends /).waitFor();
	await page.getByRole("button", { name: /Beach$/ }).waitFor();
	await page.getByRole("button", { name: "Show results" }).click();
	await page.getByRole("button", { name: /Beach.*1 vote/ }).waitFor();
	await page.getByRole("button", { name: "Hide results" }).click();
	await page.getByRole("button", { name: /Harbor$/ }).click();
	await page.getByRole("button", { name: /Harbor.*1 vote/, pressed: true }).waitFor();
	const { d: vote } = await bot.gateway.until(
		({ t, d }) => t === "MESSAGE_POLL_VOTE_ADD" && d["user_id"] !== ada.me.user.id,
	);
	expect(vote).toMatchObject({ message_id: poll.id, answer_id: 1 });
	await expectNoErrors(page, "poll-webhook-light");

	await page.getByRole("button", { name: /Harbor.*1 vote/ }).click();
	await page.getByRole("button", { name: /Harbor$/, pressed: false }).waitFor();
	await rest("POST", `${channel}/polls/${poll.id}/expire`);
	await page.getByText("The poll has ended.").waitFor();
	expect(await page.getByRole("button", { name: /Beach.*1 vote/ }).isDisabled()).toBe(true);

	await page.getByRole("button", { name: "Create a poll" }).click();
	await page.getByLabel("Question").fill("How far?");
	const answers = page.getByRole("textbox", { name: "Answers" });
	await answers.fill("x\n".repeat(11));
	await page.getByRole("button", { name: "Post" }).click();
	await page.getByText("A poll has at most 10 answers.").waitFor();
	await answers.fill("x".repeat(56));
	await page.getByRole("button", { name: "Post" }).click();
	await page.getByText("may have at most 55 characters").waitFor();
	await answers.fill("To the buoy\nTo the island");
	await expectNoErrors(page, "poll-dialog-light");
	await page.getByRole("button", { name: "Post" }).click();
	await page.getByRole("button", { name: "To the island" }).waitFor();
	expect(await page.getByRole("dialog").count()).toBe(0);

	await news.click({ button: "right", position: { x: 5, y: 5 } });
	await page.getByRole("menuitem", { name: "Start thread" }).click();
	const thread = page.getByRole("list", { name: "Channels" }).getByRole("button", { name: /The fleet sails/ });
	await thread.waitFor();
	const { d: started } = await bot.gateway.until(({ t }) => t === "THREAD_CREATE");
	await expectNoErrors(page, "thread-light");
	await playground.setBotPermissions(PermissionFlagsBits.ManageThreads);
	await rest("PATCH", `/channels/${String(started["id"])}`, { archived: true });
	await thread.waitFor({ state: "detached" });
	await news.click({ button: "right", position: { x: 5, y: 5 } });
	await page.getByRole("menuitem", { name: "Reply" }).waitFor();
	expect(await page.getByRole("menuitem", { name: "Start thread" }).count()).toBe(0);
});
