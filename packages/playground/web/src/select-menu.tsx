/** A menu in a message. A single choice is sent at once; several are ticked first, and sent by a button. */
import { useSignal } from "@preact/signals";
import type { APISelectMenuComponent } from "discord-api-types/v10";
import { useId, useRef } from "preact/hooks";
import { usePage } from "./app-context.ts";
import { focusByArrow } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { selectChoices } from "./select-choices.ts";

const GAP_PX = 6;
/** The menu opens upwards when less than this fits below the button. */
const BELOW_MIN_PX = 260;

interface SelectMenuProps {
	readonly select: APISelectMenuComponent;
	readonly busy: { readonly "aria-disabled": true | undefined; readonly "aria-busy": true | undefined };
	readonly onChoose: (values: readonly string[]) => void;
}

export function SelectMenu({ select, busy, onChoose }: SelectMenuProps) {
	const choices = selectChoices(select, usePage());
	const { min_values: min = 1, max_values: max = 1, placeholder = "Make a selection" } = select;
	const isMultiple = max > 1;
	const sent = useSignal<readonly string[]>(choices.filter(({ isDefault }) => isDefault).map(({ value }) => value));
	const chosen = useSignal(sent.value);
	const isOpen = useSignal(false);
	const button = useRef<HTMLButtonElement>(null);
	const menu = useRef<HTMLDivElement>(null);
	const id = useId();
	const labels = choices.filter(({ value }) => chosen.value.includes(value)).map(({ label }) => label);
	const text = labels.join(", ");

	function pick(value: string): void {
		if (!isMultiple && min > 0) send([value]);
		else if (chosen.value.includes(value)) chosen.value = chosen.value.filter((one) => one !== value);
		else chosen.value = isMultiple ? [...chosen.value, value].slice(0, max) : [value];
	}

	function send(values: readonly string[]): void {
		sent.value = chosen.value = values;
		menu.current?.hidePopover();
		button.current?.focus();
		onChoose(values);
	}

	function rows(): HTMLElement[] {
		return [...(menu.current?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
	}

	function onToggle(event: Pick<ToggleEvent, "newState">): void {
		isOpen.value = event.newState === "open";
		if (!isOpen.value) {
			// Ticks that were not sent are dropped.
			chosen.value = sent.value;
			return;
		}
		if (menu.current && button.current) placeMenu(menu.current, button.current);
		(rows().find((row) => row.ariaSelected === "true") ?? rows()[0])?.focus();
	}

	function onKeyDown(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
		focusByArrow(event);
		if (event.defaultPrevented) return;
		const items = rows();
		const choice = choices[items.findIndex((row) => row === document.activeElement)];
		if (choice && (event.key === "Enter" || event.key === " ")) pick(choice.value);
		else if (event.key.length === 1) {
			const letter = event.key.toLowerCase();
			items[choices.findIndex(({ label }) => label.replace(/^[@#]/, "").toLowerCase().startsWith(letter))]?.focus();
		} else return;
		event.preventDefault();
	}

	return (
		<div class="select-box">
			<button
				ref={button}
				type="button"
				class="select"
				disabled={select.disabled === true}
				data-control={select.custom_id}
				aria-label={text === "" ? placeholder : `${placeholder}: ${text}`}
				aria-haspopup="listbox"
				aria-expanded={isOpen.value}
				aria-controls={id}
				{...busy}
				onClick={() => {
					if (!busy["aria-disabled"]) menu.current?.togglePopover();
				}}
			>
				<span class="ellipsis">{text || placeholder}</span>
				<Icon name="chevron" />
			</button>
			<div ref={menu} id={id} class="choices" popover="auto" onToggle={onToggle}>
				<ul
					class="choice-list"
					role="listbox"
					aria-label={placeholder}
					aria-multiselectable={isMultiple || undefined}
					onKeyDown={onKeyDown}
				>
					{choices.map(({ value, label, note }) => (
						<li
							key={value}
							class="choice"
							role="option"
							tabIndex={-1}
							aria-selected={chosen.value.includes(value)}
							onClick={() => pick(value)}
						>
							<span class="choice-text">
								{label}
								{note !== undefined && <span class="choice-note">{note}</span>}
							</span>
							<Icon name="check" class="choice-mark" />
						</li>
					))}
				</ul>
				{(isMultiple || min === 0) && (
					<div class="choice-foot">
						<span class="choice-count">{min === max ? `Choose ${max}` : `Choose ${min} to ${max}`}</span>
						<button
							type="button"
							class="button primary"
							disabled={chosen.value.length < min}
							onClick={() => send(chosen.value)}
						>
							Choose
						</button>
					</div>
				)}
			</div>
		</div>
	);
}

function placeMenu(menu: HTMLElement, button: HTMLElement): void {
	const at = button.getBoundingClientRect();
	const below = innerHeight - at.bottom - 2 * GAP_PX;
	const above = at.top - 2 * GAP_PX;
	const isUp = below < Math.min(menu.offsetHeight, BELOW_MIN_PX) && above > below;
	Object.assign(menu.style, {
		maxHeight: `${isUp ? above : below}px`,
		width: `${at.width}px`,
		left: `${at.left}px`,
		top: isUp ? "auto" : `${at.bottom + GAP_PX}px`,
		bottom: isUp ? `${innerHeight - at.top + GAP_PX}px` : "auto",
	});
}
