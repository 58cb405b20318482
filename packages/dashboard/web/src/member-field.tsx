/** A field for a member: a name, which is searched for on the server, or an id. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useMemo } from "preact/hooks";
import { MEMBER_NAME_CHARS_MAX } from "../../src/form-limits.ts";
import { useApp, useServer } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { describedBy, Field } from "./fields.tsx";
import { createMemberSearch, type MemberSearch } from "./member-search.ts";
import type { Member } from "./member-names.ts";

interface MemberFieldProps {
	readonly label: string;
	readonly hint?: string | undefined;
	/** The content of the button beside the field. */
	readonly action: ComponentChildren;
	/** True if a choice in the list submits at once, without the button. */
	readonly isImmediate?: boolean;
	/** Returns `false` if another field must be filled in first. */
	readonly canSubmit?: () => boolean;
	readonly onMember: (id: string) => void;
}

export function MemberField(props: MemberFieldProps) {
	const { label, hint, action, isImmediate = false, canSubmit, onMember } = props;
	const search = useMemberSearch();
	const isInvalid = useSignal(false);
	const submit = (): void => {
		const id = search.memberId();
		isInvalid.value = id === null;
		const mayRun = canSubmit?.() ?? true;
		if (id === null || !mayRun) return;
		search.clear();
		onMember(id);
	};
	const choose = (member: Member): void => {
		search.choose(member);
		isInvalid.value = false;
		if (isImmediate) submit();
	};
	return (
		<div class="field-row">
			<Combobox
				label={label}
				hint={hint}
				search={search}
				isInvalid={isInvalid.value}
				onInput={(typed) => {
					search.type(typed);
					isInvalid.value = false;
				}}
				onChoose={choose}
				onSubmit={submit}
			/>
			<button type="button" class="button" onClick={submit}>
				{action}
			</button>
		</div>
	);
}

function useMemberSearch(): MemberSearch {
	const { call } = useApp();
	const { params, names } = useServer();
	return useMemo(
		() =>
			createMemberSearch({
				search: async (name) => {
					const { members } = await call("searchMembers", { params, query: { name } });
					names.learn(members);
					return members;
				},
				later: (run, delayMs) => {
					const timer = setTimeout(run, delayMs);
					return () => clearTimeout(timer);
				},
			}),
		[],
	);
}

interface ComboboxProps extends Pick<MemberFieldProps, "label" | "hint"> {
	readonly search: MemberSearch;
	readonly isInvalid: boolean;
	readonly onInput: (typed: string) => void;
	readonly onChoose: (member: Member) => void;
	readonly onSubmit: () => void;
}

/** The pattern "editable combobox with list autocomplete" of the ARIA authoring practices. */
function Combobox({ label, hint, search, isInvalid, onInput, onChoose, onSubmit }: ComboboxProps) {
	const { t, errorText } = useApp();
	const id = useId();
	const { text, found, error, isOpen, active } = search;
	const members = found.value ?? [];
	const onKeyDown = (event: KeyboardEvent): void => {
		switch (event.key) {
			case "ArrowDown":
			case "ArrowUp":
				event.preventDefault();
				search.move(event.key === "ArrowDown" ? 1 : -1);
				return;
			case "Escape":
				if (isOpen.value) event.stopPropagation();
				search.close();
				return;
			case "Enter": {
				event.preventDefault();
				const member = isOpen.value ? members[active.value] : undefined;
				if (member) onChoose(member);
				else onSubmit();
			}
		}
	};
	const optionId = (at: number): string => `${id}-option-${at}`;
	const status =
		error.value === null
			? found.value && t("dashboard.membersFound", { count: members.length })
			: errorText(error.value);
	const field = { label, hint, error: isInvalid ? t("dashboard.memberUnknown") : undefined };
	return (
		<Field id={id} {...field} class="combobox">
			<input
				id={id}
				class="input"
				type="text"
				role="combobox"
				autocomplete="off"
				spellcheck={false}
				maxLength={MEMBER_NAME_CHARS_MAX}
				value={text.value}
				aria-autocomplete="list"
				aria-expanded={isOpen.value}
				aria-controls={`${id}-list`}
				aria-activedescendant={isOpen.value && active.value >= 0 ? optionId(active.value) : undefined}
				aria-invalid={isInvalid}
				aria-describedby={describedBy(id, field)}
				onInput={({ currentTarget }) => onInput(currentTarget.value)}
				onKeyDown={onKeyDown}
				onBlur={search.close}
			/>
			<ul id={`${id}-list`} class="options" role="listbox" aria-label={label} hidden={!isOpen.value}>
				{members.map((member, at) => (
					<li
						key={member.id}
						id={optionId(at)}
						role="option"
						aria-selected={at === active.value}
						// Keeps the focus in the field.
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => onChoose(member)}
					>
						<Avatar name={member.name} url={member.avatarUrl} />
						<span class="ellipsis">{member.name}</span>
					</li>
				))}
			</ul>
			<p class={members.length === 0 && status ? "hint" : "sr-only"} role="status">
				{status}
			</p>
		</Field>
	);
}
