import { expect, test } from "vitest";
import { type KeyAction, keyAction } from "../../web/src/composer-keys.ts";

type KeyPress = Parameters<typeof keyAction>[0];
type Press = readonly [key: string, change: Partial<KeyPress>, action: KeyAction | null];

const list = { listOpen: true, itemActive: true } as const;
const field = { inCommand: true, place: "text" } as const;
const file = { inCommand: true, place: "file", caret: null } as const;

const RULES: readonly (readonly [rule: string, ...presses: readonly Press[]])[] = [
	["Enter sends the command", ["Enter", { ...field, text: "a boat" }, "send"], ["Enter", { inCommand: true }, "send"]],
	[
		"Enter selects the highlighted item of an open list",
		["Enter", { ...list, text: "/im" }, "choose"],
		["Enter", { ...field, ...list, text: "wi" }, "choose"],
	],
	[
		"Enter sends a complete command although the list is open",
		["Enter", { ...list, text: "/credits", isComplete: true }, "send"],
		["Enter", { ...field, ...list, text: "16:9", isComplete: true }, "send"],
	],
	[
		"Enter sends if the list of more options is open without a highlight",
		["Enter", { inCommand: true, listOpen: true }, "send"],
	],
	[
		"Enter is left to the browser in an empty file field, which opens the dialog; with a file it sends",
		["Enter", file, null],
		["Enter", { ...file, hasFile: true }, "send"],
	],
	["Enter with Shift starts a new line outside of a command", ["Enter", { shift: true, text: "a" }, null]],
	["Tab selects the highlighted item", ["Tab", { ...list, text: "/im" }, "choose"]],
	[
		"Tab moves the focus if no item is highlighted, and always with Shift",
		["Tab", { ...field, text: "a" }, null],
		["Tab", { ...list, shift: true }, null],
	],
	[
		"Escape closes the list first, then the command, and then does nothing",
		["Escape", { ...field, ...list }, "closeList"],
		["Escape", field, "leaveCommand"],
		["Escape", {}, null],
	],
	[
		"Backspace removes an empty option, and otherwise deletes a character",
		["Backspace", field, "removeOption"],
		["Backspace", { ...field, text: "a" }, null],
	],
	[
		"Backspace removes the file first, and then the option",
		["Backspace", { ...file, hasFile: true }, "removeFile"],
		["Backspace", file, "removeOption"],
	],
	[
		"Backspace at the start of the trailing text goes to the last field",
		["Backspace", { inCommand: true }, "stepLeft"],
		["Backspace", { inCommand: true, text: "se" }, null],
	],
	["Backspace has its usual meaning outside of a command", ["Backspace", {}, null]],
	["arrows move through an open list", ["ArrowDown", list, "nextItem"], ["ArrowUp", list, "previousItem"]],
	[
		"the up and down arrows have their usual meaning without a list",
		["ArrowUp", { text: "a" }, null],
		["ArrowDown", { text: "a" }, null],
	],
	[
		"arrows leave a field only at its edges",
		["ArrowLeft", { ...field, text: "ab", caret: 0 }, "stepLeft"],
		["ArrowLeft", { ...field, text: "ab", caret: 1 }, null],
		["ArrowRight", { ...field, text: "ab", caret: 2 }, "stepRight"],
		["ArrowRight", { ...field, text: "ab", caret: 1 }, null],
		["ArrowRight", { ...field, text: "ab", caret: null }, null],
	],
	["letters have no special meaning", ["a", { ...field, ...list }, null]],
];

test.each(RULES.map(([rule, ...presses]) => ({ rule, presses })))("$rule", ({ presses }) => {
	for (const [key, change, action] of presses) {
		const caretAtEnd = { shift: false, inCommand: false, place: "end", text: "", hasFile: false } as const;
		const state = { ...caretAtEnd, caret: change.text?.length ?? 0, listOpen: false, itemActive: false };
		expect(keyAction({ key, ...state, isComplete: false, ...change }), `${key} ${JSON.stringify(change)}`).toBe(action);
	}
});
