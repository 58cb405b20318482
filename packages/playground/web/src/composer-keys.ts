/** The keys of the composer. */
import { optionOf } from "./command-draft.ts";
import { type Composer, TAIL } from "./composer-state.ts";
import { OPTION } from "./discord-constants.ts";

interface KeyPress {
	readonly key: string;
	readonly isShift: boolean;
	/** The name of the option in the field, or `TAIL`. */
	readonly field: string;
	/** The text of the field. */
	readonly text: string;
	/** The place of the caret; null while text is selected. */
	readonly caret: number | null;
}

/** Returns the action of a key, or null to leave the key to the browser. */
export function keyAction(composer: Composer, { key, isShift, field, text, caret }: KeyPress): (() => void) | null {
	const draft = composer.draft.value;
	const items = composer.list.value?.items ?? [];
	const active = items[composer.activeItem.value];
	const isFile = draft && field !== TAIL && optionOf(draft.command, field).type === OPTION.attachment;
	const hasFile = draft?.options.find(({ name }) => name === field)?.file !== undefined;
	switch (key) {
		case "ArrowDown":
			return items.length > 0 ? () => moveActive(composer, 1) : null;
		case "ArrowUp":
			return items.length > 0 ? () => moveActive(composer, -1) : null;
		case "Tab":
			return active && !isShift ? active.choose : null;
		case "Enter":
			if (isShift && !draft) return null;
			if (active) return active.choose;
			// An empty file option is a button, and Enter presses it.
			return isFile && !hasFile ? null : composer.submit;
		case "Escape":
			if (items.length > 0) return composer.closeList;
			if (draft) return () => composer.leave("");
			return composer.replyTarget.value ? composer.cancelReply : null;
		case "Backspace":
			if (!draft || text !== "") return null;
			if (hasFile) return () => composer.removeFile(field);
			return field === TAIL ? () => moveFocus(composer, field, -1) : () => composer.removeOption(field);
		case "ArrowLeft":
			return draft && (isFile || caret === 0) ? () => moveFocus(composer, field, -1) : null;
		case "ArrowRight":
			return draft && field !== TAIL && (isFile || caret === text.length) ? () => moveFocus(composer, field, 1) : null;
		default:
			return null;
	}
}

function moveActive({ list, activeItem }: Composer, by: 1 | -1): void {
	const count = list.value?.items.length ?? 0;
	const index = activeItem.value;
	activeItem.value = index === -1 && by === -1 ? count - 1 : (index + by + count) % count;
}

/** Moves the focus between the options. A move to the left closes a command that has no options in the draft. */
function moveFocus({ draft: { value: draft }, focusOn, leave }: Composer, field: string, by: 1 | -1): void {
	if (!draft) return;
	const { command, options } = draft;
	const index = field === TAIL ? options.length : options.findIndex(({ name }) => name === field);
	const next = options[index + by];
	if (next) focusOn(next.name, by === 1 ? 0 : "end");
	else if (by === 1) focusOn(TAIL);
	else if (options.length === 0) leave(`/${command.path}`);
}
