import { type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Keeps the focus on the button with the same text and place among those when an edit of a message replaces its buttons. */
export function useFocusOnSameButton(): RefObject<HTMLDivElement | null> {
	const body = useRef<HTMLDivElement>(null);
	// Read while rendering, before the elements change.
	const focused = document.activeElement;
	const text = body.current?.contains(focused) ? focused?.textContent : null;
	const buttonsWithText = (): readonly HTMLElement[] =>
		[...(body.current?.querySelectorAll("button") ?? [])].filter(({ textContent }) => textContent === text);
	const index = text === null ? -1 : buttonsWithText().findIndex((button) => button === focused);
	useLayoutEffect(() => {
		if (text === null || (focused?.textContent === text && focused?.isConnected)) return;
		const buttons = buttonsWithText();
		// The last of several buttons, such as "Remove", may go with its entry.
		buttons[Math.min(index, buttons.length - 1)]?.focus();
	});
	return body;
}
