/** A field for a member: a name, which is searched for on the server, or an id. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useMemo } from "preact/hooks";
import { MEMBER_NAME_CHARS_MAX } from "../../src/limits.ts";
import { useApp, useServer } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { Field, useFieldProblem } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import { createMemberSearch, type MemberSearch } from "./member-search.ts";
import type { Member } from "./member-names.ts";

interface MemberFormProps {
	readonly label: string;
	readonly hint?: string | undefined;
	/** The content of the button beside the field. */
	readonly action: ComponentChildren;
	readonly onMember: (id: string) => void;
}

/** A field for a member with a button. A choice in the list needs no button. */
export function MemberForm({ label, hint, action, onMember }: MemberFormProps) {
	const search = useMemberSearch();
	const submit = (): void => {
		const id = search.memberId();
		if (id === null) return;
		search.clear();
		onMember(id);
	};
	return (
		<Form class="field-row" run={submit}>
			<MemberField label={label} hint={hint} search={search} submitsChoice />
			<SubmitButton>{action}</SubmitButton>
		</Form>
	);
}

export function useMemberSearch(): MemberSearch {
	const { call } = useApp();
	const { params, names } = useServer();
	return useMemo(
		() =>
			createMemberSearch(async (name) => {
				const { members } = await call("searchMembers", { params, query: { name } });
				names.learn(members);
				return members;
			}),
		[],
	);
}

/** Safari ends the composition before its last Enter, which only has the key code of an input method. */
const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

interface MemberFieldProps extends Pick<MemberFormProps, "label" | "hint"> {
	readonly search: MemberSearch;
	/** A choice in the list submits the form. */
	readonly submitsChoice?: boolean;
}

/** The pattern "editable combobox with list autocomplete" of the ARIA authoring practices. */
export function MemberField({ label, hint, search, submitsChoice = false }: MemberFieldProps) {
	const { t, errorText } = useApp();
	const id = useId();
	const { text, found, error, isOpen, active } = search.state.value;
	const members = found ?? [];
	const { input, shownProblem } = useFieldProblem(
		search.memberId() === null ? t("dashboard.memberUnknown") : undefined,
	);
	const choose = (member: Member): void => {
		search.choose(member);
		if (!submitsChoice) return;
		// A member is chosen, which the field tells the form only when it renders.
		input.current?.setCustomValidity("");
		input.current?.form?.requestSubmit();
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isOfInputMethod(event)) return;
		switch (event.key) {
			case "ArrowDown":
			case "ArrowUp":
				event.preventDefault();
				search.move(event.key === "ArrowDown" ? 1 : -1);
				return;
			case "Escape":
				if (isOpen) event.stopPropagation();
				search.close();
				return;
			case "Enter": {
				const member = isOpen ? members[active] : undefined;
				if (!member) return;
				event.preventDefault();
				choose(member);
			}
		}
	};
	const optionId = (at: number): string => `${id}-option-${at}`;
	useEffect(() => document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" }), [active]);
	const status = error === null ? found && t("dashboard.membersFound", { count: members.length }) : errorText(error);
	return (
		<Field label={label} hint={hint} error={shownProblem} class="combobox">
			{(attributes) => (
				<>
					<input
						{...attributes}
						ref={input}
						role="combobox"
						autocomplete="off"
						spellcheck={false}
						maxLength={MEMBER_NAME_CHARS_MAX}
						value={text}
						aria-autocomplete="list"
						aria-expanded={isOpen}
						aria-controls={`${id}-list`}
						aria-activedescendant={isOpen && active >= 0 ? optionId(active) : undefined}
						onInput={({ currentTarget }) => search.type(currentTarget.value)}
						onKeyDown={onKeyDown}
						onBlur={search.close}
					/>
					<ul id={`${id}-list`} class="options" role="listbox" aria-label={label} hidden={!isOpen}>
						{members.map((member, at) => (
							<li
								key={member.id}
								id={optionId(at)}
								class="row"
								role="option"
								aria-selected={at === active}
								// Keeps the focus in the field.
								onMouseDown={(event) => event.preventDefault()}
								onClick={() => choose(member)}
							>
								<Avatar name={member.name} url={member.avatarUrl} />
								<span class="ellipsis">{member.name}</span>
							</li>
						))}
					</ul>
					<p class={members.length === 0 && status ? "hint" : "sr-only"} role="status">
						{status}
					</p>
				</>
			)}
		</Field>
	);
}
