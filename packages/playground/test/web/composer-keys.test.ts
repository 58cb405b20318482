import { describe, expect, test } from "vitest";
import { keyAction } from "../../web/src/composer-keys.ts";

type KeyPress = Parameters<typeof keyAction>[0];

/** A caret in the empty composer, and what differs from that. */
const press = (key: string, change: Partial<KeyPress> = {}) =>
	keyAction({
		key,
		shift: false,
		inCommand: false,
		place: "end",
		text: "",
		caret: change.text?.length ?? 0,
		hasFile: false,
		listOpen: false,
		itemActive: false,
		isComplete: false,
		...change,
	});

const list = { listOpen: true, itemActive: true } as const;
const field = { inCommand: true, place: "text" } as const;
const file = { inCommand: true, place: "file", caret: null } as const;

describe("Enter", () => {
	test("sends", () => {
		expect(press("Enter", { ...field, text: "a boat" })).toBe("send");
		expect(press("Enter", { inCommand: true })).toBe("send");
	});

	test("takes the marked line of an open list", () => {
		expect(press("Enter", { ...list, text: "/im" })).toBe("choose");
		expect(press("Enter", { ...field, ...list, text: "wi" })).toBe("choose");
	});

	test("sends what is written out in full although the list is open", () => {
		expect(press("Enter", { ...list, text: "/credits", isComplete: true })).toBe("send");
		expect(press("Enter", { ...field, ...list, text: "16:9", isComplete: true })).toBe("send");
	});

	test("sends when the list of more options is open but nothing in it is marked", () => {
		expect(press("Enter", { inCommand: true, listOpen: true })).toBe("send");
	});

	test("presses the button of an empty file field", () => {
		expect(press("Enter", file)).toBeNull();
		expect(press("Enter", { ...file, hasFile: true })).toBe("send");
	});

	test("with Shift is a new line outside a command", () => {
		expect(press("Enter", { shift: true, text: "a" })).toBeNull();
	});
});

describe("Tab", () => {
	test("takes the marked line", () => {
		expect(press("Tab", { ...list, text: "/im" })).toBe("choose");
	});

	test("moves like everywhere without an active item, and always backwards", () => {
		expect(press("Tab", { ...field, text: "a" })).toBeNull();
		expect(press("Tab", { ...list, shift: true })).toBeNull();
	});
});

describe("Escape steps back", () => {
	test("first out of the list, then out of the command, then not at all", () => {
		expect(press("Escape", { ...field, ...list })).toBe("closeList");
		expect(press("Escape", field)).toBe("leaveCommand");
		expect(press("Escape")).toBeNull();
	});
});

describe("Backspace", () => {
	test("removes an empty option, and deletes letters before that", () => {
		expect(press("Backspace", field)).toBe("removeOption");
		expect(press("Backspace", { ...field, text: "a" })).toBeNull();
	});

	test("takes the file out first, the option second", () => {
		expect(press("Backspace", { ...file, hasFile: true })).toBe("dropFile");
		expect(press("Backspace", file)).toBe("removeOption");
	});

	test("at the open end goes to the last field", () => {
		expect(press("Backspace", { inCommand: true })).toBe("stepLeft");
		expect(press("Backspace", { inCommand: true, text: "se" })).toBeNull();
	});

	test("is only itself outside a command", () => {
		expect(press("Backspace")).toBeNull();
	});
});

describe("arrows", () => {
	test("walk through an open list", () => {
		expect(press("ArrowDown", list)).toBe("nextItem");
		expect(press("ArrowUp", list)).toBe("previousItem");
	});

	test("bring the last command back into an empty composer", () => {
		expect(press("ArrowUp")).toBe("recall");
		expect(press("ArrowUp", { text: "a" })).toBeNull();
	});

	test("leave a field at its edges only", () => {
		expect(press("ArrowLeft", { ...field, text: "ab", caret: 0 })).toBe("stepLeft");
		expect(press("ArrowLeft", { ...field, text: "ab", caret: 1 })).toBeNull();
		expect(press("ArrowRight", { ...field, text: "ab", caret: 2 })).toBe("stepRight");
		expect(press("ArrowRight", { ...field, text: "ab", caret: 1 })).toBeNull();
		expect(press("ArrowRight", { ...field, text: "ab", caret: null })).toBeNull();
	});
});

test("letters are letters", () => {
	expect(press("a", { ...field, ...list })).toBeNull();
});
