/** Menus: of a message or a member, of the choices of a select menu, and of the users to write as. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, IconButton, type IconName } from "./icon.tsx";
import { NameAndNote } from "./name-and-note.tsx";

const EDGE_PX = 8;
const GAP_PX = 4;
/** Elements that keep the context menu of the browser. */
const OWN_MENU = "a, img, video, audio, input, textarea, dialog, [popover]";

export interface MenuItem {
	readonly name: string;
	readonly note?: string | undefined;
	/** A slash by default, for commands. */
	readonly icon?: IconName;
	readonly avatar?: VNode;
	/** Defined for each of several choices. */
	readonly isChosen?: boolean;
	readonly run: () => void;
}

/** A menu that is open at a place. Spread `opener` on the button that opens it, and render `menu` beside it. */
export function useMenu(label: string, items: readonly MenuItem[]) {
	const place = useSignal<DOMRect | null>(null);
	return {
		openAt: (next: DOMRect) => (place.value = next),
		opener: {
			"aria-haspopup": "menu",
			"aria-expanded": place.value !== null,
			// While the menu is open, the browser closes it for a click outside.
			onClick: ({ currentTarget }: { readonly currentTarget: HTMLElement }) =>
				(place.value ??= currentTarget.getBoundingClientRect()),
		} as const,
		menu: place.value && <Menu label={label} items={items} place={place.value} onClose={() => (place.value = null)} />,
	};
}

/** A menu that opens by its button or a right click. Spread the handlers on the element, and render the button in it. */
export function useContextMenu(label: string, items: readonly MenuItem[]) {
	const { menu, opener, openAt } = useMenu(label, items);
	return {
		handlers: {
			onContextMenu(event: MouseEvent) {
				if ((event.target instanceof Element && event.target.closest(OWN_MENU)) || String(getSelection()) !== "")
					return;
				event.preventDefault();
				openAt(new DOMRect(event.clientX, event.clientY));
			},
		},
		button: (
			<>
				<IconButton icon="more" label={label} class="more" {...opener} />
				{menu}
			</>
		),
	};
}

interface MenuProps {
	readonly label: string;
	readonly items: readonly MenuItem[];
	readonly place: DOMRect;
	readonly onClose: () => void;
}

/** Stands below its place, or above it where there is more room. */
function Menu({ label, items, place, onClose }: MenuProps) {
	const menu = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const element = menu.current;
		if (!element) return;
		element.showPopover();
		element.style.minWidth = `${place.width}px`;
		const { width, height } = element.getBoundingClientRect();
		const below = place.bottom + GAP_PX;
		const top = below + height + EDGE_PX <= innerHeight ? below : place.top - GAP_PX - height;
		element.style.left = `${Math.max(EDGE_PX, Math.min(place.left, innerWidth - width - EDGE_PX))}px`;
		element.style.top = `${Math.max(EDGE_PX, top)}px`;
		const chosen = element.querySelector<HTMLElement>("[aria-checked=true]");
		(chosen ?? element.querySelector("button"))?.focus();
	}, [place]);
	return (
		<div
			ref={menu}
			class="menu"
			popover="auto"
			role="menu"
			aria-label={label}
			onToggle={(event) => event.newState === "closed" && onClose()}
			onKeyDown={(event) => {
				if (event.key === "Tab") event.currentTarget.hidePopover();
				focusByArrow(event);
			}}
		>
			<p class="menu-label" aria-hidden="true">
				{label}
			</p>
			{items.map(({ name, note, icon = "slash", avatar, isChosen, run }, at) => (
				<button
					key={at}
					type="button"
					class="row menu-row"
					role={isChosen === undefined ? "menuitem" : "menuitemradio"}
					aria-checked={isChosen}
					tabIndex={-1}
					onClick={({ detail: clickCount }) => {
						// The second click of a double click on the button of the menu may hit an item.
						if (clickCount > 1) return;
						menu.current?.hidePopover();
						run();
					}}
				>
					{avatar ?? (isChosen === undefined && <Icon name={icon} />)}
					<NameAndNote note={note}>{name}</NameAndNote>
					{isChosen && <Icon name="check" />}
				</button>
			))}
		</div>
	);
}

/** Moves the focus between the items by the arrow keys, Home and End. */
function focusByArrow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
	const items = [...event.currentTarget.querySelectorAll("button")];
	const at = items.findIndex((item) => item === document.activeElement);
	const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
	if (next === undefined) return;
	event.preventDefault();
	items.at(next % items.length)?.focus();
}
