/** The focus: moved by keys within a list, and kept on a control that an edit replaces. */

/** Moves the focus between the buttons or options of a list by the arrow keys, Home and End. */
export function focusByArrow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
	const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button, [role=option]")];
	const at = items.findIndex((item) => item === document.activeElement);
	const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
	if (next === undefined) return;
	event.preventDefault();
	items.at(next % items.length)?.focus();
}

/**
 * Keeps the focus on a button or menu of a message. The bot may edit the message meanwhile, which replaces the element: the focus then
 * goes to the control with the same custom id.
 */
export function rememberControl(element: Element | null): () => HTMLElement | undefined {
	const customId = element?.getAttribute("data-control");
	const messageId = element?.closest("[data-id]")?.getAttribute("data-id");
	return () => {
		if (element?.isConnected) return element instanceof HTMLElement ? element : undefined;
		const controls = [...document.querySelectorAll<HTMLElement>(`[data-id="${messageId}"] [data-control]`)];
		return controls.find((control) => control.getAttribute("data-control") === customId);
	};
}
