/** A menu in a message. A single choice is sent at once; several are chosen in a form. */
import { useSignal } from "@preact/signals";
import type { APISelectMenuComponent } from "discord-api-types/v10";
import { useSnapshot } from "./app-context.ts";
import { COMPONENT } from "./discord-constants.ts";
import { FormDialog } from "./form-dialog.tsx";
import { Icon } from "./icon.tsx";
import { useMenu } from "./menu.tsx";
import { selectChoices } from "./select-choices.ts";

interface SelectMenuProps {
	readonly select: APISelectMenuComponent;
	/** Another version of the message resets the choices. */
	readonly version: string;
	readonly busy: { readonly "aria-disabled": true | undefined; readonly "aria-busy": true | undefined };
	readonly onChoose: (values: readonly string[]) => void;
}

export function SelectMenu({ select, version, busy, onChoose }: SelectMenuProps) {
	const sent = useSignal<{ readonly version: string; readonly values: readonly string[] } | null>(null);
	const isFormOpen = useSignal(false);
	const { min_values: min = 1, max_values: max = 1, placeholder = "Make a selection" } = select;
	const values = sent.value?.version === version ? sent.value.values : null;
	const choices = selectChoices(select, useSnapshot()).map((choice) => ({
		...choice,
		isDefault: values ? values.includes(choice.value) : choice.isDefault,
	}));
	const chosen = choices.filter(({ isDefault }) => isDefault);
	const text = chosen.map(({ name }) => name).join(", ");

	function choose(next: readonly string[]): void {
		sent.value = { version, values: next };
		onChoose(next);
	}

	const { menu, opener } = useMenu(placeholder, [
		...(min === 0 ? [{ name: "No selection", isChosen: chosen.length === 0, run: () => choose([]) }] : []),
		...choices.map(({ name, note, value, isDefault }) => ({
			name,
			note,
			isChosen: isDefault,
			run: () => choose([value]),
		})),
	]);
	const group = {
		type: COMPONENT.checkboxGroup,
		custom_id: select.custom_id,
		min_values: min,
		max_values: max,
		required: min > 0,
		options: choices.map(({ name, value, note, isDefault }) => ({
			value,
			label: name,
			description: note,
			default: isDefault,
		})),
	};
	const formOpener = { "aria-haspopup": "dialog", onClick: () => (isFormOpen.value = true) } as const;
	return (
		<div class="select-box">
			<button
				type="button"
				class="row select"
				disabled={select.disabled === true}
				aria-label={text === "" ? placeholder : `${placeholder}: ${text}`}
				{...(max > 1 ? formOpener : opener)}
				{...busy}
				{...(busy["aria-disabled"] && { onClick: undefined })}
			>
				<span class="ellipsis">{text || placeholder}</span>
				<Icon name="chevron" />
			</button>
			{menu}
			{isFormOpen.value && (
				<FormDialog
					title={placeholder}
					components={[
						{
							type: COMPONENT.label,
							label: min === max ? `Choose ${max}` : `Choose ${min} to ${max}`,
							component: group,
						},
					]}
					submitLabel="Choose"
					onSubmit={async ([field]) => choose(field?.values ?? [])}
					onClose={() => (isFormOpen.value = false)}
				/>
			)}
		</div>
	);
}
