/**
 * What a key means in the composer. Pure: the situation in, the action out, null where the browser knows best.
 */

/**
 * Where the key was pressed. `place` is a field of text, a field for a file, or the open end of the line; `caret` is null
 * while something is selected.
 *
 * @typedef {{
 *   key: string,
 *   shift: boolean,
 *   inCommand: boolean,
 *   place: "text" | "file" | "end",
 *   text: string,
 *   caret: number | null,
 *   hasFile: boolean,
 *   listOpen: boolean,
 *   lineMarked: boolean,
 *   writtenOut: boolean,
 * }} KeyPress
 */

/**
 * @typedef {"markNext" | "markPrevious" | "choose" | "send" | "closeList" | "leaveCommand" | "recall" | "dropFile"
 *   | "removeOption" | "stepLeft" | "stepRight"} KeyAction
 */

/**
 * @param {KeyPress} press
 * @returns {KeyAction | null}
 */
export function keyAction(press) {
	switch (press.key) {
		case "ArrowDown":
			return press.listOpen ? "markNext" : null;
		case "ArrowUp":
			if (press.listOpen) return "markPrevious";
			return !press.inCommand && press.text === "" ? "recall" : null;
		case "Enter":
			return onEnter(press);
		case "Tab":
			return press.lineMarked && !press.shift ? "choose" : null;
		case "Escape":
			if (press.listOpen) return "closeList";
			return press.inCommand ? "leaveCommand" : null;
		case "Backspace":
			return onBackspace(press);
		case "ArrowLeft":
			return press.inCommand && (press.place === "file" || press.caret === 0) ? "stepLeft" : null;
		case "ArrowRight":
			if (!press.inCommand || press.place === "end") return null;
			return press.place === "file" || press.caret === press.text.length ? "stepRight" : null;
		default:
			return null;
	}
}

/**
 * @param {KeyPress} press
 * @returns {KeyAction | null}
 */
function onEnter(press) {
	if (press.shift && !press.inCommand) return null;
	// What is written out in full needs no choosing: Enter sends it although the list is open.
	if (press.lineMarked && !press.writtenOut) return "choose";
	// An empty file field is a button, and Enter presses it.
	return press.place === "file" && !press.hasFile ? null : "send";
}

/**
 * @param {KeyPress} press
 * @returns {KeyAction | null}
 */
function onBackspace(press) {
	if (!press.inCommand) return null;
	if (press.place === "file") return press.hasFile ? "dropFile" : "removeOption";
	if (press.text !== "") return null;
	return press.place === "text" ? "removeOption" : "stepLeft";
}
