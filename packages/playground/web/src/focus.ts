import { type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Moves the focus between the buttons or options of a list by the arrow keys, Home and End. */
export function focusByArrow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
	const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button, [role=option]")];
	const at = items.findIndex((item) => item === document.activeElement);
	const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
	if (next === undefined) return;
	event.preventDefault();
	items.at(next % items.length)?.focus();
}

/** Keeps the focus on the button with the same text when an edit of a message replaces its buttons. */
export function useKeptFocus(): RefObject<HTMLDivElement | null> {
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
