import { describe, expect, test } from "vitest";
import { keyAction } from "../../web/src/composer-keys.ts";

type KeyPress = Parameters<typeof keyAction>[0];

/** A caret in the empty composer, with these changes. */
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

describe("the key Enter", () => {
	test("sends the command", () => {
		expect(press("Enter", { ...field, text: "a boat" })).toBe("send");
		expect(press("Enter", { inCommand: true })).toBe("send");
	});

	test("selects the highlighted item of an open list", () => {
		expect(press("Enter", { ...list, text: "/im" })).toBe("choose");
		expect(press("Enter", { ...field, ...list, text: "wi" })).toBe("choose");
	});

	test("sends a complete command although the list is open", () => {
		expect(press("Enter", { ...list, text: "/credits", isComplete: true })).toBe("send");
		expect(press("Enter", { ...field, ...list, text: "16:9", isComplete: true })).toBe("send");
	});

	test("sends if the list of more options is open without a highlight", () => {
		expect(press("Enter", { inCommand: true, listOpen: true })).toBe("send");
	});

	test("is left to the browser in an empty file field, which opens the dialog; with a file it sends", () => {
		expect(press("Enter", file)).toBeNull();
		expect(press("Enter", { ...file, hasFile: true })).toBe("send");
	});

	test("with Shift starts a new line outside of a command", () => {
		expect(press("Enter", { shift: true, text: "a" })).toBeNull();
	});
});

describe("the key Tab", () => {
	test("selects the highlighted item", () => {
		expect(press("Tab", { ...list, text: "/im" })).toBe("choose");
	});

	test("moves the focus if no item is highlighted, and always with Shift", () => {
		expect(press("Tab", { ...field, text: "a" })).toBeNull();
		expect(press("Tab", { ...list, shift: true })).toBeNull();
	});
});

describe("the key Escape", () => {
	test("closes the list first, then the command, and then does nothing", () => {
		expect(press("Escape", { ...field, ...list })).toBe("closeList");
		expect(press("Escape", field)).toBe("leaveCommand");
		expect(press("Escape")).toBeNull();
	});
});

describe("the key Backspace", () => {
	test("removes an empty option, and otherwise deletes a character", () => {
		expect(press("Backspace", field)).toBe("removeOption");
		expect(press("Backspace", { ...field, text: "a" })).toBeNull();
	});

	test("removes the file first, and then the option", () => {
		expect(press("Backspace", { ...file, hasFile: true })).toBe("removeFile");
		expect(press("Backspace", file)).toBe("removeOption");
	});

	test("at the start of the trailing text goes to the last field", () => {
		expect(press("Backspace", { inCommand: true })).toBe("stepLeft");
		expect(press("Backspace", { inCommand: true, text: "se" })).toBeNull();
	});

	test("has its usual meaning outside of a command", () => {
		expect(press("Backspace")).toBeNull();
	});
});

describe("the arrow keys", () => {
	test("move through an open list", () => {
		expect(press("ArrowDown", list)).toBe("nextItem");
		expect(press("ArrowUp", list)).toBe("previousItem");
	});

	test("restore the last command in an empty composer", () => {
		expect(press("ArrowUp")).toBe("recall");
		expect(press("ArrowUp", { text: "a" })).toBeNull();
	});

	test("leave a field only at its edges", () => {
		expect(press("ArrowLeft", { ...field, text: "ab", caret: 0 })).toBe("stepLeft");
		expect(press("ArrowLeft", { ...field, text: "ab", caret: 1 })).toBeNull();
		expect(press("ArrowRight", { ...field, text: "ab", caret: 2 })).toBe("stepRight");
		expect(press("ArrowRight", { ...field, text: "ab", caret: 1 })).toBeNull();
		expect(press("ArrowRight", { ...field, text: "ab", caret: null })).toBeNull();
	});
});

test("letter keys have no special meaning", () => {
	expect(press("a", { ...field, ...list })).toBeNull();
});
