/** A menu in a message. A single choice is sent at once; several are ticked first, and sent by a button. */
import { useSignal } from "@preact/signals";
import type { APISelectMenuComponent } from "discord-api-types/v10";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useSnapshot } from "./app-context.ts";
import { focusByArrow } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { NameAndNote } from "./name-and-note.tsx";
import { selectChoices } from "./select-choices.ts";

interface SelectMenuProps {
	readonly select: APISelectMenuComponent;
	/** Another version of the message resets the choices. */
	readonly version: string;
	readonly busy: { readonly "aria-disabled": true | undefined; readonly "aria-busy": true | undefined };
	readonly onChoose: (values: readonly string[]) => void;
}

export function SelectMenu({ select, version, busy, onChoose }: SelectMenuProps) {
	const choices = selectChoices(select, useSnapshot());
	const { min_values: min = 1, max_values: max = 1, placeholder = "Make a selection" } = select;
	const isMultiple = max > 1;
	const sent = useRef<readonly string[]>([]);
	const chosen = useSignal<readonly string[]>([]);
	const menu = useRef<HTMLDivElement>(null);
	const id = useId();
	const text = choices
		.filter(({ value }) => chosen.value.includes(value))
		.map(({ name }) => name)
		.join(", ");

	useLayoutEffect(() => {
		sent.current = choices.filter(({ isDefault }) => isDefault).map(({ value }) => value);
		chosen.value = sent.current;
	}, [version]);

	function pick(value: string): void {
		if (!isMultiple && min > 0) send([value]);
		else if (chosen.value.includes(value)) chosen.value = chosen.value.filter((one) => one !== value);
		else chosen.value = isMultiple ? [...chosen.value, value].slice(0, max) : [value];
	}

	function send(values: readonly string[]): void {
		sent.current = values;
		menu.current?.hidePopover();
		onChoose(values);
	}

	function onToggle(event: Pick<ToggleEvent, "newState">): void {
		const selected = menu.current?.querySelector<HTMLElement>("[aria-selected=true]");
		if (event.newState === "open") (selected ?? menu.current?.querySelector<HTMLElement>("[role=option]"))?.focus();
		// Ticks that were not sent are dropped.
		else chosen.value = sent.current;
	}

	return (
		<div class="select-box">
			<button
				type="button"
				class="row select"
				disabled={select.disabled === true}
				popovertarget={busy["aria-disabled"] ? undefined : id}
				aria-label={text === "" ? placeholder : `${placeholder}: ${text}`}
				aria-haspopup="listbox"
				{...busy}
			>
				<span class="ellipsis">{text || placeholder}</span>
				<Icon name="chevron" />
			</button>
			<div ref={menu} id={id} class="choices" popover="auto" onToggle={onToggle}>
				<div
					class="choice-list"
					role="listbox"
					aria-label={placeholder}
					aria-multiselectable={isMultiple || undefined}
					onKeyDown={focusByArrow}
				>
					{choices.map(({ value, name, note }) => (
						<button
							key={value}
							type="button"
							class="row menu-row"
							role="option"
							tabIndex={-1}
							aria-selected={chosen.value.includes(value)}
							onClick={() => pick(value)}
						>
							<NameAndNote note={note}>{name}</NameAndNote>
							{chosen.value.includes(value) && <Icon name="check" />}
						</button>
					))}
				</div>
				{(isMultiple || min === 0) && (
					<div class="row choice-foot">
						<span class="note">{min === max ? `Choose ${max}` : `Choose ${min} to ${max}`}</span>
						<button
							type="button"
							class="button small primary"
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
