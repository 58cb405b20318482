/**
 * The state of the composer: free text with the list of commands above it, or one command as a row of options.
 *
 * The text field at the end is always there. Without a command it is the whole composer; with one it adds further options.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { APIAttachment } from "discord-api-types/v10";
import { errorText } from "./api.ts";
import { createAutocomplete } from "./autocomplete.ts";
import {
	carryOver,
	changeOption,
	type Choice,
	choiceOf,
	type Directory,
	type Draft,
	type DraftOption,
	fixedChoices,
	isAutocompleted,
	isPicked,
	judgeDraft,
	judgeOption,
	openDraft,
	optionOf,
	optionsForAutocomplete,
	remainingOptions,
	shownOptions,
	trailingTextFault,
	withOption,
	withoutOption,
} from "./command-draft.ts";
import { type Command, optionCalled, parseCommandText, typedAhead, type TypedOption } from "./command-text.ts";
import { type KeyAction, keyAction } from "./composer-keys.ts";
import { commandList, type ListContent, optionList, valueList } from "./composer-list.ts";
import type { PageOption } from "./contract.ts";
import { OPTION } from "./discord-constants.ts";
import type { ShownOption } from "./state.ts";

/** Stands for the text field at the end wherever the name of an option is expected. No option has an empty name. */
export const TAIL = "";

interface Hint {
	readonly text: string;
	readonly isFault?: boolean;
	/** Commands that can take the typed text. */
	readonly offers?: readonly { readonly label: string; readonly run: () => void }[];
}

interface ComposerDeps {
	readonly commands: ReadonlySignal<readonly Command[]>;
	readonly directory: ReadonlySignal<Directory>;
	readonly send: (command: string, options: readonly PageOption[], shown: readonly ShownOption[]) => Promise<void>;
	readonly autocomplete: (
		command: string,
		options: readonly PageOption[],
		focused: string,
		signal: AbortSignal,
	) => Promise<readonly Choice[]>;
	readonly upload: (file: File) => Promise<APIAttachment>;
}

export function createComposer({ commands, directory, send, autocomplete, upload }: ComposerDeps) {
	const draft = signal<Draft | null>(null);
	const tail = signal("");
	const faults = signal<ReadonlyMap<string, string>>(new Map());
	const hint = signal<Hint>({ text: "" });
	/** The option that has the focus, `TAIL`, or null. */
	const focused = signal<string | null>(null);
	/** The element to focus after the next render. */
	const focusTarget = signal<{ readonly name: string; readonly at: "start" | "end" } | null>(null);
	const isListClosed = signal(false);
	const activeItem = signal(-1);
	/** The last command that was sent or left, for the arrow key that recalls it. */
	let last: { readonly path: string; readonly options: readonly TypedOption[] } | null = null;

	const choices = createAutocomplete(async (name, aborted) => {
		const current = draft.peek();
		if (!current) return [];
		const options = optionsForAutocomplete(current, name, directory.peek());
		return await autocomplete(current.command.path, options, name, aborted);
	});

	const list = computed((): ListContent | null => {
		const name = focused.value;
		if (name === null || isListClosed.value) return null;
		if (!draft.value) return commandList(commands.value, tail.value, (command) => enter(openDraft(command)));
		if (name === TAIL) return optionList(draft.value, tail.value, openOption);
		const open = findOpenOption(name);
		if (!open) return null;
		const option = optionOf(draft.value.command, name);
		const asked = isAutocompleted(option) && choices.asked.value?.name === name ? choices.asked.value : null;
		const known = { asked, fault: faults.value.get(name) ?? null, directory: directory.value };
		return valueList(option, open, known, (choice) => pick(name, choice));
	});

	effect(() => {
		const open = focused.value === null || isListClosed.value ? undefined : findOpenOption(focused.value);
		if (!open || !draft.value || !isAutocompleted(optionOf(draft.value.command, open.name))) return;
		choices.ask(open.name, isPicked(open) ? "" : open.text);
	});
	effect(() => {
		activeItem.value = list.value ? Math.min(list.value.activeFirst, list.value.items.length - 1) : -1;
	});
	// The command may be registered again while it is typed: keep the values that still fit.
	effect(() => {
		const same = commands.value.find(({ path }) => path === draft.peek()?.command.path);
		const current = draft.peek();
		if (current && same && same !== current.command) draft.value = carryOver(current, same);
	});

	function findOpenOption(name: string): DraftOption | undefined {
		return draft.value?.options.find((option) => option.name === name);
	}

	function focusOn(name: string, at: "start" | "end" = "end"): void {
		focusTarget.value = { name, at };
	}

	function say(text: string, isFault = false): void {
		hint.value = { text, isFault };
	}

	function setFault(name: string, message: string | null): void {
		const next = new Map(faults.peek());
		if (message === null) next.delete(name);
		else next.set(name, message);
		faults.value = next;
	}

	/** Focuses the first empty option: a required one, since only those are open and empty. */
	function enter(next: Draft): void {
		batch(() => {
			faults.value = new Map();
			choices.forget();
			draft.value = next;
			tail.value = "";
			const target = next.options.find(({ text, file }) => text === "" && file === undefined) ?? next.options.at(-1);
			focusOn(target?.name ?? TAIL);
		});
	}

	function leave(text: string): void {
		batch(() => {
			draft.value = null;
			faults.value = new Map();
			choices.forget();
			tail.value = text;
			say("");
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
		const at = options.findIndex((option) => option.name === name);
		if (optionOf(command, name).required) {
			if (at === 0) leave(`/${command.path}`);
			else focusOn(options[at - 1]?.name ?? TAIL);
			return;
		}
		draft.value = withoutOption(draft.value, name);
		setFault(name, null);
		focusOn(options[at - 1]?.name ?? TAIL);
	}

	function typeTail(text: string): void {
		batch(() => {
			tail.value = text;
			isListClosed.value = false;
			say("");
			if (!draft.value) {
				// Text becomes a command as soon as its name is complete.
				const typed = parseCommandText(commands.value, text);
				if (typed) enter(openDraft(typed.command, typed.options));
				return;
			}
			// `aspect_ratio:` at the end of the line opens that option.
			const called = /^\s*([^\s:]+):$/.exec(text)?.[1];
			const name = called === undefined ? undefined : optionCalled(draft.value.command, called)?.name;
			if (name !== undefined && remainingOptions(draft.value).some((option) => option.name === name)) openOption(name);
		});
	}

	function typeOption(name: string, text: string): void {
		if (!draft.value) return;
		const used = new Set(draft.value.options.map((option) => option.name));
		const ahead = typedAhead(draft.value.command, name, used, text);
		// A slash option is one line, as in Discord: pasted line ends become spaces.
		const value = (ahead?.text ?? text).replaceAll(/\s*\n\s*/g, " ");
		batch(() => {
			if (draft.value) draft.value = changeOption(draft.value, name, { text: value });
			setFault(name, null);
			isListClosed.value = false;
			say("");
			if (ahead?.next) openOption(ahead.next);
			else if (value !== text) focusOn(name);
		});
	}

	function pick(name: string, choice: Choice): void {
		if (!draft.value) return;
		const next = changeOption(draft.value, name, { text: choice.name, picked: choice });
		draft.value = next;
		setFault(name, null);
		focusOn(next.options.find(({ text, file }) => text === "" && file === undefined)?.name ?? TAIL);
	}

	async function attach(name: string, files: readonly File[]): Promise<void> {
		const [file] = files;
		if (!draft.value || !file) return;
		const { command } = draft.value;
		const change = (changed: Partial<DraftOption>): void => {
			if (draft.value?.command === command) draft.value = changeOption(draft.value, name, changed);
		};
		draft.value = withOption(draft.value, name);
		change({ uploading: file.name, file: undefined });
		setFault(name, null);
		focusOn(name);
		try {
			change({ file: await upload(file), uploading: undefined });
		} catch (error) {
			if (draft.value?.command !== command) return;
			change({ uploading: undefined });
			setFault(name, errorText(error));
			if (focused.value !== name) say(`${name}: ${errorText(error)}`, true);
		}
	}

	/** Dropped or pasted files go to the first free option that takes a file. */
	function takeFiles(files: readonly File[]): void {
		if (!draft.value) return say("Choose a command that takes a file first, then drop it here.", true);
		const { command } = draft.value;
		const takers = command.options.filter(({ type }) => type === OPTION.attachment).map(({ name }) => name);
		const name = takers.find((taker) => findOpenOption(taker)?.file === undefined) ?? takers[0];
		if (name === undefined) say(`/${command.path} takes no file.`, true);
		else void attach(name, files);
	}

	/** Marks an option with a wrong value when it loses the focus. Does not move the focus. */
	function markIfInvalid(name: string): void {
		const open = findOpenOption(name);
		if (!draft.value || !open || open.text.trim() === "") return;
		const verdict = judgeOption(optionOf(draft.value.command, name), open, directory.value);
		if (!verdict.ok) setFault(name, verdict.message);
	}

	function submit(): void {
		const current = draft.value;
		if (!current) return submitText();
		const trailing = trailingTextFault(current.command, tail.value);
		if (trailing !== null) return say(trailing, true);
		const verdict = judgeDraft(current, directory.value);
		if (!verdict.ok) {
			setFault(verdict.name, verdict.message);
			isListClosed.value = false;
			return focusOn(verdict.name);
		}
		const shown = shownOptions(current);
		last = { path: current.command.path, options: shown };
		leave("");
		send(current.command.path, verdict.options, shown).catch((error) => {
			if (!draft.value && tail.value === "") enter(current);
			say(errorText(error), true);
		});
	}

	function submitText(): void {
		const text = tail.value.trim();
		if (text === "") return;
		const exact = commands.value.find(({ path }) => text === `/${path}`);
		if (exact) {
			enter(openDraft(exact));
			if (!exact.options.some(({ required }) => required)) submit();
		} else if (text.startsWith("/")) {
			say(`There is no command ${text.split(/\s/)[0]} here. Type / to see them all.`, true);
		} else offerCommands(text);
	}

	/** The playground accepts commands only: offers those that can take the text as their prompt. */
	function offerCommands(text: string): void {
		const takers = commands.value.filter(({ options }) =>
			options.some(({ name, required }) => name === "prompt" && required),
		);
		hint.value = {
			text: "This playground only accepts slash commands. ",
			offers: takers.map((command) => ({
				label: `/${command.path}`,
				run: () => enter(openDraft(command, [{ name: "prompt", text }])),
			})),
		};
	}

	/** Returns whether Enter may send: the text is a command without options, or a full choice of this option. */
	function isComplete(name: string): boolean {
		const open = findOpenOption(name);
		if (!draft.value)
			return commands.value.some(({ path, options }) => tail.value.trim() === `/${path}` && options.length === 0);
		if (!open || open.text.trim() === "") return false;
		const option = optionOf(draft.value.command, name);
		const asked = choices.asked.value?.name === name ? choices.asked.value.choices : [];
		const known = isAutocompleted(option) ? asked : fixedChoices(option, directory.value);
		return choiceOf(known ?? [], open.text) !== undefined;
	}

	/** Moves the focus between the options. Left of the text field, a command without open options is closed. */
	function step(name: string, by: 1 | -1): void {
		if (!draft.value) return;
		const { command, options } = draft.value;
		const at = name === TAIL ? options.length : options.findIndex((option) => option.name === name);
		const next = options[at + by];
		if (next) focusOn(next.name, by === 1 ? "start" : "end");
		else if (by === 1) focusOn(TAIL);
		else if (options.length === 0) leave(`/${command.path}`);
	}

	function moveActive(by: 1 | -1): void {
		const count = list.value?.items.length ?? 0;
		const at = activeItem.value;
		if (count > 0) activeItem.value = at === -1 && by === -1 ? count - 1 : (at + by + count) % count;
	}

	/** Opens a command with these values. Without such a command, its name becomes text. */
	function openCommand(path: string, options: readonly TypedOption[]): void {
		const command = commands.value.find((candidate) => candidate.path === path);
		if (!command) return leave(`/${path}`);
		const known = options.filter(({ name }) => command.options.some((option) => option.name === name));
		enter(openDraft(command, known));
	}

	function act(action: KeyAction, name: string): void {
		switch (action) {
			case "nextItem":
				return moveActive(1);
			case "previousItem":
				return moveActive(-1);
			case "choose":
				return list.value?.items[activeItem.value]?.choose();
			case "send":
				return submit();
			case "closeList":
				isListClosed.value = true;
				return;
			case "leaveCommand":
				if (draft.value) last = { path: draft.value.command.path, options: shownOptions(draft.value) };
				return leave("");
			case "recall":
				return last ? openCommand(last.path, last.options) : undefined;
			case "removeFile":
				if (draft.value) draft.value = changeOption(draft.value, name, { file: undefined });
				return;
			case "removeOption":
				return removeOption(name);
			case "stepLeft":
				return step(name, -1);
			case "stepRight":
				return step(name, 1);
		}
	}

	return {
		draft,
		tail,
		faults,
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
		leave,
		openCommand,
		focus: () => focusOn(draft.value?.options.at(-1)?.name ?? TAIL),
		onFocus(name: string): void {
			focused.value = name;
			isListClosed.value = false;
		},
		/** `isOutside`: the focus left the composer. */
		onBlur(name: string, isOutside: boolean): void {
			markIfInvalid(name);
			if (isOutside) focused.value = null;
		},
		/** Returns whether the key had a meaning. */
		press(name: string, key: { key: string; shift: boolean }, text: string, caret: number | null): boolean {
			const option = draft.value && name !== TAIL ? optionOf(draft.value.command, name) : null;
			const action = keyAction({
				...key,
				inCommand: draft.value !== null,
				place: option === null ? "end" : option.type === OPTION.attachment ? "file" : "text",
				text,
				caret,
				hasFile: findOpenOption(name)?.file !== undefined,
				listOpen: (list.value?.items.length ?? 0) > 0,
				itemActive: activeItem.value >= 0,
				isComplete: isComplete(name),
			});
			if (action !== null) act(action, name);
			return action !== null;
		},
	};
}
