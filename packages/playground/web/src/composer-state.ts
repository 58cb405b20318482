/**
 * The state of the composer: free text with the list of commands above it, or one command as a row of options.
 *
 * The text field at the end is always there. Without a command it is the whole composer; with one it adds further options.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { APIAttachment, APIMessage } from "discord-api-types/v10";
import { errorText } from "./api.ts";
import { createAutocomplete } from "./autocomplete.ts";
import {
	changeOption,
	type Choice,
	type Draft,
	type DraftOption,
	isAutocompleted,
	validateDraft,
	validateOption,
	openDraft,
	optionOf,
	optionsForAutocomplete,
	draftOptionTexts,
	withOption,
} from "./command-draft.ts";
import { type Command, parseCommandText, typedAhead, type TypedOption } from "./command-text.ts";
import { commandList, type ListContent, mentionList, optionList, valueList } from "./composer-list.ts";
import type { CommandOptionInput } from "./contract.ts";
import { OPTION } from "./discord-constants.ts";
import type { Directory } from "./select-choices.ts";

/** Identifies the text field at the end, in place of the name of an option. No option has an empty name. */
export const TAIL = "";

interface ComposerDeps {
	readonly commands: ReadonlySignal<readonly Command[]>;
	readonly directory: ReadonlySignal<Directory>;
	readonly send: (
		command: string,
		options: readonly CommandOptionInput[],
		optionTexts: readonly TypedOption[],
	) => Promise<void>;
	/** Sends a plain message, in reply to another one or to none. */
	readonly sendText: (text: string, replyTarget: APIMessage | null) => Promise<void>;
	readonly autocomplete: (
		command: string,
		options: readonly CommandOptionInput[],
		focused: string,
		signal: AbortSignal,
	) => Promise<readonly Choice[]>;
	readonly upload: (file: File) => Promise<APIAttachment>;
}

export type Composer = ReturnType<typeof createComposer>;

export function createComposer({ commands, directory, send, sendText, autocomplete, upload }: ComposerDeps) {
	const draft = signal<Draft | null>(null);
	const tail = signal("");
	const tailCaret = signal(0);
	/** The message that the text replies to. */
	const replyTarget = signal<APIMessage | null>(null);
	/** The reason why the last action of the user had no effect. */
	const hint = signal("");
	/** The option that has the focus, `TAIL`, or null. */
	const focused = signal<string | null>(null);
	/** The element to focus after the next render. */
	const focusTarget = signal<{ readonly name: string; readonly at: number | "end" } | null>(null);
	const isListClosed = signal(false);
	const activeItem = signal(-1);

	const autocompletion = createAutocomplete(async (name, abortSignal) => {
		const current = draft.peek();
		if (!current) return [];
		const options = optionsForAutocomplete(current, name, directory.peek());
		return await autocomplete(current.command.path, options, name, abortSignal);
	});

	const list = computed((): ListContent | null => {
		const name = focused.value;
		if (name === null || isListClosed.value) return null;
		if (!draft.value) {
			const listed = commandList(commands.value, tail.value, (command) => startDraft(openDraft(command)));
			if (listed) return listed;
			const before = tail.value.slice(0, tailCaret.value);
			// A space follows each mention already.
			const after = tail.value.slice(tailCaret.value).replace(/^ /, "");
			return mentionList(before, directory.value, (text) => {
				tail.value = text + after;
				tailCaret.value = text.length;
				focusOn(TAIL, text.length);
			});
		}
		if (name === TAIL) return optionList(draft.value, tail.value, openOption);
		const draftOption = findDraftOption(name);
		if (!draftOption) return null;
		const option = optionOf(draft.value.command, name);
		const autocompleteState =
			isAutocompleted(option) && autocompletion.state.value?.optionName === name ? autocompletion.state.value : null;
		const sources = { autocomplete: autocompleteState, directory: directory.value };
		return valueList(option, draftOption, sources, (choice) => chooseValue(name, choice));
	});

	effect(() => {
		const draftOption = focused.value === null || isListClosed.value ? undefined : findDraftOption(focused.value);
		if (!draftOption || !draft.value || !isAutocompleted(optionOf(draft.value.command, draftOption.name))) return;
		const options = optionsForAutocomplete(draft.value, draftOption.name, directory.value);
		autocompletion.request(draftOption.name, JSON.stringify(options));
	});
	effect(() => {
		activeItem.value = list.value ? Math.min(list.value.activeFirst, list.value.items.length - 1) : -1;
	});

	function findDraftOption(name: string): DraftOption | undefined {
		return draft.value?.options.find((option) => option.name === name);
	}

	function usedNames(): ReadonlySet<string> {
		return new Set(draft.value?.options.map((option) => option.name));
	}

	function focusOn(name: string, at: number | "end" = "end"): void {
		focusTarget.value = { name, at };
	}

	function change(name: string, changed: Partial<DraftOption>): void {
		if (draft.value) draft.value = changeOption(draft.value, name, changed);
	}

	/**
	 * Focuses the first empty option, which is a required one; else the last option, or without options the text at the end. A command
	 * replies to no message.
	 */
	function startDraft(next: Draft): void {
		batch(() => {
			replyTarget.value = null;
			autocompletion.forget();
			draft.value = next;
			tail.value = "";
			const first = next.options.find(isEmpty) ?? next.options.at(-1);
			focusOn(first?.name ?? TAIL);
		});
	}

	function closeDraft(text: string): void {
		batch(() => {
			draft.value = null;
			autocompletion.forget();
			tail.value = text;
			hint.value = "";
			focusOn(TAIL);
		});
	}

	function openOption(name: string): void {
		if (!draft.value) return;
		draft.value = withOption(draft.value, name);
		tail.value = "";
		focusOn(name);
	}

	function removeOption(name: string): void {
		if (!draft.value) return;
		const { command, options } = draft.value;
		const index = options.findIndex((option) => option.name === name);
		if (optionOf(command, name).required) {
			if (index === 0) closeDraft(`/${command.path}`);
			else focusOn(options[index - 1]?.name ?? TAIL);
			return;
		}
		draft.value = { command, options: options.filter((option) => option.name !== name) };
		focusOn(options[index - 1]?.name ?? TAIL);
	}

	function typeTail(text: string, caret = text.length): void {
		batch(() => {
			tail.value = text;
			tailCaret.value = caret;
			isListClosed.value = false;
			hint.value = "";
			if (!draft.value) {
				// Text becomes a command as soon as its name is complete.
				const typed = parseCommandText(commands.value, text);
				if (typed) startDraft(openDraft(typed.command, typed.options));
				return;
			}
			const ahead = typedAhead(draft.value.command, TAIL, usedNames(), text);
			if (ahead?.next && ahead.text === "") openOption(ahead.next);
		});
	}

	function typeOption(name: string, text: string): void {
		if (!draft.value) return;
		const ahead = typedAhead(draft.value.command, name, usedNames(), text);
		// A slash option is one line, as in Discord: pasted line ends become spaces.
		const value = (ahead?.text ?? text).replaceAll(/\s*\n\s*/g, " ");
		batch(() => {
			change(name, { text: value });
			isListClosed.value = false;
			hint.value = "";
			if (ahead?.next) openOption(ahead.next);
			else if (value !== text) focusOn(name);
		});
	}

	function chooseValue(name: string, choice: Choice): void {
		change(name, { text: choice.name, picked: choice });
		focusOn(draft.value?.options.find(isEmpty)?.name ?? TAIL);
	}

	async function attach(name: string, file: File): Promise<void> {
		if (!draft.value) return;
		draft.value = changeOption(withOption(draft.value, name), name, { uploading: file, file: undefined });
		focusOn(name);
		const result = await upload(file).then(
			(uploaded) => ({ file: uploaded }),
			(error: unknown) => ({ error: errorText(error) }),
		);
		// The option or the user may have changed meanwhile.
		if (findDraftOption(name)?.uploading !== file) return;
		change(name, { uploading: undefined, ...result });
		if ("error" in result && focused.value !== name) hint.value = `${name}: ${result.error}`;
	}

	/** Dropped or pasted files go to the free options that take a file, in order. */
	function takeFiles(files: readonly File[]): void {
		if (!draft.value) {
			hint.value = "Choose a command that takes a file first, then drop it here.";
			return;
		}
		const { command } = draft.value;
		const names = command.options.filter(({ type }) => type === OPTION.attachment).map(({ name }) => name);
		const freeNames = names.filter((name) => {
			const { uploading, file } = findDraftOption(name) ?? {};
			return !uploading && !file;
		});
		for (const [at, file] of files.entries()) {
			const name = freeNames[at];
			if (name !== undefined) void attach(name, file);
			else hint.value = `/${command.path} takes no ${names.length > 0 ? "further " : ""}file.`;
		}
	}

	/** Marks an option with a wrong value when it loses the focus. Does not move the focus. */
	function markIfInvalid(name: string): void {
		const draftOption = findDraftOption(name);
		if (!draft.value || !draftOption || draftOption.text.trim() === "") return;
		const verdict = validateOption(optionOf(draft.value.command, name), draftOption, directory.value);
		if (!verdict.ok) change(name, { error: verdict.message });
	}

	function submit(): void {
		const current = draft.value;
		if (!current) return submitText();
		const trailing = tail.value.trim();
		if (trailing !== "") {
			hint.value = `“${trailing}” is not an option of /${current.command.path}. Choose an option from the list, or delete the text.`;
			return;
		}
		const verdict = validateDraft(current, directory.value);
		if (!verdict.ok) {
			change(verdict.name, { error: verdict.message });
			isListClosed.value = false;
			return focusOn(verdict.name);
		}
		closeDraft("");
		cancelReply();
		send(current.command.path, verdict.options, draftOptionTexts(current)).catch((error) => {
			if (isUnused()) startDraft(current);
			hint.value = errorText(error);
		});
	}

	function submitText(): void {
		const text = tail.value.trim();
		if (text === "") return;
		const exact = commands.value.find(({ path }) => text === `/${path}`);
		if (exact) {
			startDraft(openDraft(exact));
			if (!exact.options.some(({ required }) => required)) submit();
		} else if (text.startsWith("/")) {
			hint.value = `There is no command ${text.split(/\s/)[0]} here. Type / to see them all.`;
		} else sendMessage(text);
	}

	function sendMessage(text: string): void {
		const sentTarget = replyTarget.peek();
		batch(() => {
			hint.value = "";
			tail.value = "";
			replyTarget.value = null;
		});
		sendText(text, sentTarget).catch((error) => {
			batch(() => {
				if (isUnused()) {
					tail.value = text;
					replyTarget.value = sentTarget;
				}
				hint.value = errorText(error);
			});
		});
	}

	function isUnused(): boolean {
		return !draft.value && !replyTarget.value && tail.value === "";
	}

	function startReply(message: APIMessage): void {
		replyTarget.value = message;
		focusOn(TAIL);
	}

	/** Opens a command with these values. Without such a command, its name becomes text. */
	function openCommand(path: string, options: readonly TypedOption[]): void {
		const command = commands.value.find((candidate) => candidate.path === path);
		if (!command) return closeDraft(`/${path}`);
		const knownOptions = options.filter(({ name }) => command.options.some((option) => option.name === name));
		startDraft(openDraft(command, knownOptions));
	}

	function cancelReply(): void {
		replyTarget.value = null;
	}

	/** Prepares for another user: uploaded files and a reply belong to the user before. */
	function changeUser(): void {
		batch(() => {
			cancelReply();
			const current = draft.peek();
			if (!current) return;
			const withoutFile = { file: undefined, uploading: undefined };
			draft.value = { ...current, options: current.options.map((option) => ({ ...option, ...withoutFile })) };
		});
	}

	return {
		draft,
		tail,
		replyTarget,
		hint,
		focused,
		focusTarget,
		list,
		activeItem,
		typeTail,
		typeOption,
		removeOption,
		attach,
		takeFiles,
		submit,
		startReply,
		cancelReply,
		changeUser,
		leave: closeDraft,
		openCommand,
		focusOn,
		focus: () => focusOn(draft.value?.options.at(-1)?.name ?? TAIL),
		closeList: () => (isListClosed.value = true),
		removeFile: (name: string) => change(name, { file: undefined }),
		onFocus(name: string): void {
			focused.value = name;
			isListClosed.value = false;
		},
		/** `isOutside`: the focus left the composer. */
		onBlur(name: string, isOutside: boolean): void {
			markIfInvalid(name);
			if (isOutside) focused.value = null;
		},
	};
}

function isEmpty({ text, file }: DraftOption): boolean {
	return text === "" && file === undefined;
}
