import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { answerTo } from "./replies.ts";
import { CREDITS_AFTER_IMAGE, openAtelierWithMembers } from "./start-atelier.ts";

test("with CREDIT_PRICE, choices, the help, the confirmation, results and the usage show the price in money", async () => {
	const { owner, ada } = await openAtelierWithMembers({ env: { CREDIT_PRICE: "0.015 EUR" } });
	const choices = await ada.autocomplete("/image", { prompt: "a boat", model: "" }, "model");
	expect(choices.map(({ name }) => name)).toContain("Fake image (4 credits · €0.06)");
	expect(await answerTo(ada, "/help")).toContain("4 credits · €0.06");
	expect(await answerTo(ada, "/credits show")).toContain("4 credits (€0.06)");

	expect(await answerTo(ada, "/image", { prompt: "a boat" })).toContain(
		`4 credits · €0.06 · ${CREDITS_AFTER_IMAGE} left`,
	);
	expect(await answerTo(owner, "/usage")).toContain("4 credits (€0.06) for 1 result");

	await answerTo(owner, "/settings general", { confirm_above: 1 });
	const question = await (
		await ada.type("/image", { prompt: "a boat" })
	).until(({ components = [] }) => components.length > 0);
	expect(textOf(question)).toContain("for **4 credits (€0.06)**?");
});
