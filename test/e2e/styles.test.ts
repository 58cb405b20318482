import { expect, test } from "vitest";
import { createFakeEngine } from "../fakes/fake-engine.ts";
import { answerTo, openServer } from "./server.ts";

const plain = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");

test("a manager adds a style, members choose it while they type, and its words reach the engine", async () => {
	const engine = createFakeEngine();
	const { admin, ada } = await openServer({ engine });
	const added = await answerTo(admin, "/style add", {
		name: "Film Noir",
		text: "high contrast, 1940s",
		medium: "image",
	});
	expect(plain(added)).toContain("- **Film Noir** (pictures): high contrast, 1940s");
	await answerTo(admin, "/style add", { name: "Lullaby", text: "soft and slow", medium: "music" });
	expect(await ada.autocomplete("/image", { prompt: "a boat", style: "f" }, "style")).toStrictEqual([
		{ name: "Film Noir", value: "Film Noir" },
	]);
	expect(await answerTo(ada, "/image", { prompt: "a boat", style: "film noir" })).toContain("496 left");
	expect(engine.runs.at(-1)?.task.prompt).toBe("a boat, high contrast, 1940s");
	expect(plain(await answerTo(ada, "/image", { prompt: "a boat", style: "Lullaby" }))).toBe(
		"There is no style called Lullaby for this here. Choose one of: Film Noir.",
	);
	expect(plain(await answerTo(ada, "/style list"))).toContain("soft and slow");
});

test("only managers change styles, and what is removed is gone", async () => {
	const { admin, ada } = await openServer();
	const refusal = "Only people who may manage this server can do that.";
	expect(await answerTo(ada, "/style add", { name: "Mine", text: "all mine" })).toBe(refusal);
	await answerTo(admin, "/style add", { name: "Ours", text: "all ours" });
	expect(await answerTo(ada, "/style remove", { name: "Ours" })).toBe(refusal);
	expect(await admin.autocomplete("/style remove", { name: "" }, "name")).toHaveLength(1);
	expect(await answerTo(admin, "/style remove", { name: "ours" })).toContain("This server has no styles.");
	expect(plain(await answerTo(ada, "/image", { prompt: "a boat", style: "Ours" }))).toContain(
		"There is no style called Ours here",
	);
});
