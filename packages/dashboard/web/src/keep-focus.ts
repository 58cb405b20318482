import { useLayoutEffect } from "preact/hooks";

/** Moves the focus if the element that had it is gone from a part of the page. */
export function useKeptFocus(
	part: { readonly current: HTMLElement | null },
	moveFocus: (part: HTMLElement) => void,
): void {
	const hadFocus = part.current?.contains(document.activeElement) ?? false;
	useLayoutEffect(() => {
		if (hadFocus && part.current && document.activeElement === document.body) moveFocus(part.current);
	});
}
