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
