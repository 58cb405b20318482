import { expect, test } from "vitest";
import { addStyle, removeStyle, stylesLike, withStyle } from "../../../src/services/guilds/styles.ts";
import { storedSettings } from "../../../src/services/guilds/settings-schema.ts";
import { UserError } from "../../../src/services/user-error.ts";

const none = storedSettings.parse({});
const noir = addStyle(none, " Film Noir ", { text: "high  contrast\n@everyone", medium: "image" });
const both = addStyle(noir, "Éclair", { text: "like lightning", medium: null });
const order = {
	mediaType: "image",
	model: "paint-1",
	modelName: "Paint",
	scene: "text-to-image",
	prompt: "a boat",
	options: {},
	costCredits: 4,
} as const;
const refusal = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		if (error instanceof UserError) return error.saying.key;
		throw error;
	}
	return "none";
};

test("a style adds its words to the prompt, however its name is written", () => {
	expect(withStyle(order, both, "film noir").prompt).toBe("a boat, high contrast @everyone");
	expect(withStyle(order, both, "E\u0301CLAIR").prompt).toBe("a boat, like lightning");
	expect(withStyle(order, both, null)).toBe(order);
});

test("a style of another medium, or none at all, is refused by name", () => {
	expect(refusal(() => withStyle({ ...order, mediaType: "music" }, both, "Film Noir"))).toBe("styleUnknown");
	expect(refusal(() => withStyle({ ...order, mediaType: "music" }, noir, "Film Noir"))).toBe("noStyles");
	expect(refusal(() => withStyle(order, both, "constructor"))).toBe("styleUnknown");
});

test("adding one under a name that is there replaces it", () => {
	const again = addStyle(both, "FILM NOIR", { text: "black and white", medium: null });
	expect(Object.keys(again.styles)).toStrictEqual(["Éclair", "FILM NOIR"]);
	expect(withStyle(order, again, "film noir").prompt).toBe("a boat, black and white");
});

test("names are plain, styles are not empty, and there are only so many", () => {
	expect(refusal(() => addStyle(none, "**bold**", { text: "x", medium: null }))).toBe("styleNameImpossible");
	expect(refusal(() => addStyle(none, "__proto__", { text: "x", medium: null }))).toBe("styleNameImpossible");
	expect(refusal(() => addStyle(none, "x".repeat(33), { text: "x", medium: null }))).toBe("styleNameImpossible");
	expect(refusal(() => addStyle(none, "Nothing", { text: " \u200B ", medium: null }))).toBe("styleEmpty");
	const full = Array.from({ length: 50 }, (_, n) => `S${n}`).reduce(
		(settings, name) => addStyle(settings, name, { text: "x", medium: null }),
		none,
	);
	expect(refusal(() => addStyle(full, "One more", { text: "x", medium: null }))).toBe("tooManyStyles");
	expect(refusal(() => addStyle(full, "s7", { text: "y", medium: null }))).toBe("none");
});

test("they are offered for their medium, those that begin with what is typed first, and can be removed", () => {
	const some = addStyle(both, "Old film", { text: "grain", medium: null });
	expect(stylesLike(some, "image", "film")).toStrictEqual(["Film Noir", "Old film"]);
	expect(stylesLike(some, "music", "")).toStrictEqual(["Éclair", "Old film"]);
	expect(Object.keys(removeStyle(some, "old FILM").styles)).toStrictEqual(["Film Noir", "Éclair"]);
	expect(refusal(() => removeStyle(some, "gone"))).toBe("styleUnknown");
});
