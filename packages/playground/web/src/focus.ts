/** Moves the focus between the buttons or options of a list by the arrow keys, Home and End. */
export function focusByArrow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
	const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button, [role=option]")];
	const at = items.findIndex((item) => item === document.activeElement);
	const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
	if (next === undefined) return;
	event.preventDefault();
	items.at(next % items.length)?.focus();
}
