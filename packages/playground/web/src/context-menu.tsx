/** The context menu of a message or a user. Opens by its button or a right click. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { focusByArrow } from "./focus.ts";
import { Icon, IconButton, type IconName } from "./icon.tsx";
import { NameAndNote } from "./name-and-note.tsx";

const EDGE_PX = 8;
/** Elements that keep the context menu of the browser. */
const OWN_MENU = "a, img, video, audio, input, textarea, [popover]";

export interface MenuItem {
	readonly name: string;
	/** A slash by default, for commands. */
	readonly icon?: IconName;
	readonly run: () => void;
}

interface Point {
	readonly x: number;
	readonly y: number;
}

interface ContextMenu {
	readonly handlers: object;
	readonly button: VNode | false;
}

/** Spread the handlers on the element, and render the button in it. Without items there is neither. */
export function useContextMenu(label: string, items: readonly MenuItem[]): ContextMenu {
	const point = useSignal<Point | null>(null);
	const button = useRef<HTMLButtonElement>(null);
	if (items.length === 0) return { handlers: {}, button: false };

	const handlers = {
		onContextMenu(event: MouseEvent) {
			if ((event.target instanceof Element && event.target.closest(OWN_MENU)) || String(getSelection()) !== "") return;
			event.preventDefault();
			point.value = { x: event.clientX, y: event.clientY };
		},
	};
	return {
		handlers,
		button: (
			<>
				<IconButton
					ref={button}
					icon="more"
					label={label}
					class="more"
					aria-haspopup="menu"
					onClick={({ currentTarget }) => {
						const { left, bottom } = currentTarget.getBoundingClientRect();
						point.value = { x: left, y: bottom + 4 };
					}}
				/>
				{point.value && (
					<Menu
						label={label}
						items={items}
						at={point.value}
						onClose={() => {
							point.value = null;
							if (document.activeElement === document.body) button.current?.focus();
						}}
					/>
				)}
			</>
		),
	};
}

interface MenuProps {
	readonly label: string;
	readonly items: readonly MenuItem[];
	readonly at: Point;
	readonly onClose: () => void;
}

function Menu({ label, items, at, onClose }: MenuProps) {
	const menu = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const element = menu.current;
		if (!element) return;
		element.showPopover();
		const { width, height } = element.getBoundingClientRect();
		element.style.left = `${Math.max(EDGE_PX, Math.min(at.x, innerWidth - width - EDGE_PX))}px`;
		element.style.top = `${Math.max(EDGE_PX, Math.min(at.y, innerHeight - height - EDGE_PX))}px`;
		element.querySelector("button")?.focus();
	}, [at]);
	return (
		<div
			ref={menu}
			class="context-menu"
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
			{items.map(({ name, icon = "slash", run }) => (
				<button
					key={name}
					type="button"
					class="row menu-row"
					role="menuitem"
					tabIndex={-1}
					onClick={({ detail: clickCount }) => {
						// The second click of a double click on the button of the menu may hit an item.
						if (clickCount > 1) return;
						menu.current?.hidePopover();
						run();
					}}
				>
					<Icon name={icon} />
					<NameAndNote>{name}</NameAndNote>
				</button>
			))}
		</div>
	);
}
