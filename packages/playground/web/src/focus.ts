import { type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Keeps the focus on the button with the same text when an edit of a message replaces its buttons. */
export function useFocusOnSameButton(): RefObject<HTMLDivElement | null> {
	const body = useRef<HTMLDivElement>(null);
	// Read while rendering, before the elements change.
	const focused = document.activeElement;
	const text = body.current?.contains(focused) ? focused?.textContent : null;
	useLayoutEffect(() => {
		if (text === null || (focused?.textContent === text && focused?.isConnected)) return;
		const buttons = [...(body.current?.querySelectorAll("button") ?? [])];
		buttons.find(({ textContent }) => textContent === text)?.focus();
	});
	return body;
}
