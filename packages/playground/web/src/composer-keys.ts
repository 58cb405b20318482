/** Maps a key in the composer to an action. Pure; null leaves the key to the browser. */

interface KeyPress {
	readonly key: string;
	readonly shift: boolean;
	readonly inCommand: boolean;
	/** A text option, a file option, or the open end of the line. */
	readonly place: "text" | "file" | "end";
	readonly text: string;
	/** Null while text is selected. */
	readonly caret: number | null;
	readonly hasFile: boolean;
	readonly listOpen: boolean;
	/** An item of the list is active. */
	readonly itemActive: boolean;
	/** The text is a complete command without options, or a complete choice. */
	readonly isComplete: boolean;
}

export type KeyAction =
	| "nextItem"
	| "previousItem"
	| "choose"
	| "send"
	| "closeList"
	| "leaveCommand"
	| "removeFile"
	| "removeOption"
	| "stepLeft"
	| "stepRight";

export function keyAction(press: KeyPress): KeyAction | null {
	const { key, inCommand, place, text, caret, listOpen } = press;
	switch (key) {
		case "ArrowDown":
			return listOpen ? "nextItem" : null;
		case "ArrowUp":
			return listOpen ? "previousItem" : null;
		case "Enter":
			return onEnter(press);
		case "Tab":
			return press.itemActive && !press.shift ? "choose" : null;
		case "Escape":
			if (listOpen) return "closeList";
			return inCommand ? "leaveCommand" : null;
		case "Backspace":
			return onBackspace(press);
		case "ArrowLeft":
			return inCommand && (place === "file" || caret === 0) ? "stepLeft" : null;
		case "ArrowRight":
			if (!inCommand || place === "end") return null;
			return place === "file" || caret === text.length ? "stepRight" : null;
		default:
			return null;
	}
}

function onEnter({ shift, inCommand, itemActive, isComplete, place, hasFile }: KeyPress): KeyAction | null {
	if (shift && !inCommand) return null;
	// A complete text needs no choosing: Enter sends it although the list is open.
	if (itemActive && !isComplete) return "choose";
	// An empty file option is a button, and Enter presses it.
	return place === "file" && !hasFile ? null : "send";
}

function onBackspace({ inCommand, place, hasFile, text }: KeyPress): KeyAction | null {
	if (!inCommand) return null;
	if (place === "file") return hasFile ? "removeFile" : "removeOption";
	if (text !== "") return null;
	return place === "text" ? "removeOption" : "stepLeft";
}
