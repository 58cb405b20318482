/** The composer: the command, its options, the text field at the end, and the list above them. */
import type { ComponentProps } from "preact";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp, useSnapshot } from "./app-context.ts";
import { type DraftOption, optionOf, remainingOptions } from "./command-draft.ts";
import { type Option, optionLabel } from "./command-text.ts";
import { ComposerList, LIST_ID, itemId } from "./composer-list-view.tsx";
import { keyAction } from "./composer-keys.ts";
import { TAIL } from "./composer-state.ts";
import { OPTION } from "./discord-constants.ts";
import { mediaKind, nameInGuild, sizeText } from "./display-names.ts";
import { Icon, IconButton } from "./icon.tsx";
import { PollDialog } from "./poll-dialog.tsx";
import { mediaPath } from "./safe-urls.ts";
import { useTimeoutText } from "./time-text.tsx";

/** The name of the option that an element edits. */
function fieldOf(target: EventTarget | null): string | undefined {
	return target instanceof HTMLElement ? target.dataset["field"] : undefined;
}

function fieldId(name: string): string {
	return name === TAIL ? "composer-input" : `option-${name}`;
}

export function Composer() {
	const { composer } = useApp();
	const form = useRef<HTMLFormElement>(null);
	const draft = composer.draft.value;
	const isPollOpen = useSignal(false);

	const target = composer.focusTarget.value;
	useLayoutEffect(() => {
		if (!target) return;
		const fields = [...(form.current?.querySelectorAll<HTMLElement>("[data-field]") ?? [])];
		const field = fields.find((each) => fieldOf(each) === target.name);
		field?.focus();
		if (!(field instanceof HTMLTextAreaElement)) return;
		const caret = target.at === "end" ? field.value.length : target.at;
		field.setSelectionRange(caret, caret);
	}, [target]);

	return (
		<>
			<form
				ref={form}
				class={`composer ${draft ? "has-command" : ""}`}
				aria-label="Composer"
				autocomplete="off"
				onSubmit={(event) => {
					event.preventDefault();
					composer.submit();
				}}
				onKeyDown={(event) => {
					const field = fieldOf(event.target);
					// Safari ends the composition before its last Enter, which only has the key code of an input method.
					const isOfInputMethod = event.isComposing || event.keyCode === 229;
					if (field === undefined || isOfInputMethod || event.altKey || event.ctrlKey || event.metaKey) return;
					const area = event.target instanceof HTMLTextAreaElement ? event.target : null;
					const caret = area && area.selectionStart === area.selectionEnd ? area.selectionStart : null;
					const { key, shiftKey: isShift } = event;
					const action = keyAction(composer, { key, isShift, field, text: area?.value ?? "", caret });
					if (!action) return;
					event.preventDefault();
					action();
				}}
				onFocusIn={(event) => {
					const name = fieldOf(event.target);
					if (name !== undefined) composer.onFocus(name);
				}}
				onFocusOut={({ target: left, relatedTarget, currentTarget }) => {
					const isOutside = !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
					composer.onBlur(fieldOf(left) ?? TAIL, isOutside);
				}}
				onPaste={(event) => {
					const files = [...(event.clipboardData?.files ?? [])];
					if (files.length === 0) return;
					event.preventDefault();
					composer.takeFiles(files);
				}}
			>
				<ComposerList />
				<TimeoutBar />
				<ReplyBar />
				<div class="composer-box">
					{!draft && <IconButton icon="poll" label="Create a poll" onClick={() => (isPollOpen.value = true)} />}
					<div
						class="composer-line"
						onPointerDown={(event) => {
							if (event.target !== event.currentTarget) return;
							event.preventDefault();
							event.currentTarget.querySelector<HTMLElement>("#composer-input")?.focus();
						}}
					>
						{draft && (
							<button type="button" class="composer-chip" title="Leave this command" onClick={() => composer.leave("")}>
								/{draft.command.label}
							</button>
						)}
						{draft?.options.map((open) => {
							const option = optionOf(draft.command, open.name);
							return <OptionPill key={`${draft.command.path} ${open.name}`} option={option} open={open} />;
						})}
						<TailInput />
					</div>
					<IconButton type="submit" icon="send" label="Send" title="Send (Enter)" class="send" />
				</div>
				<p class="composer-hint" role="alert">
					{composer.hint}
				</p>
			</form>
			{isPollOpen.value && <PollDialog onClose={() => (isPollOpen.value = false)} />}
		</>
	);
}

function TimeoutBar() {
	const text = useTimeoutText(useSnapshot().me);
	return text && <p class="row reply-bar">{text}.</p>;
}

/** Says that the text replies to a message. */
function ReplyBar() {
	const { composer } = useApp();
	const { members } = useSnapshot();
	const message = composer.replyTarget.value;
	if (!message) return null;
	return (
		<p class="row reply-bar">
			<span class="ellipsis">
				Replying to <b>{nameInGuild(members, message.author)}</b>
			</span>
			<IconButton
				icon="close"
				label="Cancel the reply"
				onClick={() => {
					composer.cancelReply();
					composer.focus();
				}}
			/>
		</p>
	);
}

function TailInput() {
	const { composer } = useApp();
	const draft = composer.draft.value;
	const remainingCount = draft ? remainingOptions(draft).length : 0;
	const more = remainingCount > 0 ? `+${remainingCount} option${remainingCount === 1 ? "" : "s"}` : "";
	return (
		<GrowingText
			class={`tail ${draft && remainingCount === 0 ? "full" : ""}`}
			field={TAIL}
			value={composer.tail.value}
			placeholder={draft ? more : "Message or /command"}
			aria-label={draft ? `Add an option; ${remainingCount} left. Enter sends.` : "Message. Type a slash for commands."}
			onText={composer.typeTail}
		/>
	);
}

interface OptionProps {
	readonly option: Option;
	readonly open: DraftOption;
}

function TextField({ option, open }: OptionProps) {
	const { composer } = useApp();
	const isNumber = option.type === OPTION.integer || option.type === OPTION.number;
	return (
		<GrowingText
			field={option.name}
			value={open.text}
			aria-label={`${optionLabel(option)}: ${option.description}`}
			aria-required={option.required ?? false}
			aria-invalid={open.error !== undefined}
			inputMode={isNumber ? "numeric" : "text"}
			onText={(text) => composer.typeOption(option.name, text)}
		/>
	);
}

function FileField({ option, open: { file, uploading } }: OptionProps) {
	const { composer } = useApp();
	const picker = useRef<HTMLInputElement>(null);
	const label = uploading?.name ?? file?.filename ?? "Choose a file";
	const state = uploading ? `uploading ${label}` : label;
	return (
		<>
			<button
				type="button"
				class="file-button"
				id={fieldId(option.name)}
				data-field={option.name}
				aria-label={`${optionLabel(option)}: ${state}. ${option.description}`}
				onClick={() => picker.current?.click()}
			>
				{file && mediaKind(file) === "image" ? (
					<img src={mediaPath(file.url)} alt="" />
				) : (
					<Icon name={file ? "file" : "clip"} />
				)}
				<span class="ellipsis">{state}</span>
				{file && <span class="note">{sizeText(file.size)}</span>}
			</button>
			<input
				ref={picker}
				type="file"
				hidden
				tabIndex={-1}
				onChange={({ currentTarget }) => {
					const chosen = currentTarget.files?.[0];
					if (chosen) void composer.attach(option.name, chosen);
					currentTarget.value = "";
				}}
			/>
		</>
	);
}

function OptionPill({ option, open }: OptionProps) {
	const { composer } = useApp();
	const name = optionLabel(option);
	const Field = option.type === OPTION.attachment ? FileField : TextField;
	return (
		<span class={`pill ${open.error === undefined ? "" : "invalid"}`} role="group" aria-label={name}>
			<label class="pill-name" for={fieldId(option.name)}>
				{name}
			</label>
			<Field option={option} open={open} />
			{!option.required && (
				<IconButton
					icon="close"
					class="pill-remove"
					tabIndex={-1}
					label={`Remove ${name}`}
					title="Remove"
					onClick={() => composer.removeOption(option.name)}
				/>
			)}
		</span>
	);
}

type GrowingTextProps = Omit<ComponentProps<"textarea">, "class"> & {
	readonly class?: string;
	/** The name of the option, or `TAIL`. */
	readonly field: string;
	readonly onText: (text: string, caret: number) => void;
};

/** A text area as large as its text. */
function GrowingText({ field, onText, class: extra = "", ...attributes }: GrowingTextProps) {
	const { composer } = useApp();
	const hasList = composer.list.value !== null && composer.focused.value === field;
	const active = hasList && composer.activeItem.value >= 0 ? itemId(composer.activeItem.value) : undefined;
	return (
		<textarea
			id={fieldId(field)}
			class={`grow ${extra}`}
			data-field={field}
			rows={1}
			spellcheck={false}
			autocomplete="off"
			autocapitalize="off"
			enterkeyhint="send"
			aria-autocomplete="list"
			aria-controls={LIST_ID}
			aria-haspopup="listbox"
			aria-activedescendant={active}
			onInput={({ currentTarget }) => onText(currentTarget.value, currentTarget.selectionStart)}
			{...attributes}
		/>
	);
}
