/** The list above the composer. The focus stays in the text field, which names the active item by `aria-activedescendant`. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import type { ListItem } from "./composer-list.ts";
import { Icon } from "./icon.tsx";

export const LIST_ID = "composer-list";

export function itemId(at: number): string {
	return `${LIST_ID}-${at}`;
}

export function ComposerList() {
	const { composer } = useApp();
	const content = composer.list.value;
	const { items = [], emptyNote } = content ?? {};
	return (
		// Pressing the list must not take the focus away from the text field.
		<div class="popup" hidden={content === null} onPointerDown={(event) => event.preventDefault()}>
			<div class="popup-head">
				<b>{content?.heading}</b>
				{content?.note && <span class="note ellipsis popup-note">{content.note}</span>}
				{content?.tag && <span class="note">{content.tag}</span>}
				{content?.error && (
					<span class="popup-error" role="alert">
						{content.error}
					</span>
				)}
			</div>
			<ul
				class="popup-list"
				id={LIST_ID}
				role="listbox"
				aria-label={content?.heading}
				hidden={items.length === 0 && emptyNote === undefined}
			>
				{items.map((item, at) => (
					<Item key={at} item={item} at={at} />
				))}
				{items.length === 0 && emptyNote !== undefined && (
					<li class="popup-empty" role="presentation">
						{emptyNote}
					</li>
				)}
			</ul>
		</div>
	);
}

function Item({ item: { title, note, icon, tag, choose }, at }: { item: ListItem; at: number }) {
	const { composer } = useApp();
	const row = useRef<HTMLLIElement>(null);
	const isActive = composer.activeItem.value === at;
	useLayoutEffect(() => {
		if (isActive) row.current?.scrollIntoView({ block: "nearest" });
	}, [isActive]);
	return (
		<li
			ref={row}
			class="row menu-row"
			id={itemId(at)}
			role="option"
			aria-selected={isActive}
			onClick={choose}
			onPointerMove={() => (composer.activeItem.value = at)}
		>
			{icon && <Icon name={icon} />}
			<span class="popup-title ellipsis">{title}</span>
			{note && <span class="note ellipsis popup-note">{note}</span>}
			{tag && <span class="note">{tag}</span>}
		</li>
	);
}
