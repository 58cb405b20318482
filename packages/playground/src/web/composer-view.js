/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * Where a person types. Either free text, with the list of commands over it, or one command as a row of fields.
 *
 * The text field at the end never goes away: without a command it is the whole composer, with one it adds the options
 * that are still to be had.
 *
 * @import { APIAttachment } from "discord-api-types/v10"
 * @import { PageOption } from "../page-contract.ts"
 * @import { Choice, Directory, Draft } from "./composer-draft.js"
 * @import { Command, TypedOption } from "./composer-parser.js"
 * @import { Field } from "./composer-field.js"
 * @import { KeyAction } from "./composer-keys.js"
 * @import { ShownOption } from "./state.js"
 */
import { createChoiceSource } from "./composer-choices.js";
import {
	TYPE,
	carriedOver,
	changePill,
	choiceOf,
	fixedChoices,
	isAutocompleted,
	judgeDraft,
	judgePill,
	looseFault,
	openDraft,
	optionOf,
	optionsForAutocomplete,
	remainingOptions,
	shownOptions,
	withPill,
	withoutPill,
} from "./composer-draft.js";
import { createField, growingText } from "./composer-field.js";
import { keyAction } from "./composer-keys.js";
import { commandList, optionList, valueList } from "./composer-lists.js";
import { optionCalled, parseCommandText, typedAhead } from "./composer-parser.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { POPUP_LIST_ID, createPopup } from "./popup-view.js";

/**
 * @typedef {{
 *   send: (command: string, options: readonly PageOption[], shown: readonly ShownOption[]) => Promise<void>,
 *   autocomplete: (command: string, options: readonly PageOption[], focused: string, signal: AbortSignal) => Promise<readonly Choice[]>,
 *   upload: (file: File) => Promise<APIAttachment>,
 * }} ComposerDeps
 */

/** @param {ComposerDeps} deps */
export function createComposer({ send, autocomplete, upload }) {
	/** @type {readonly Command[]} */
	let commands = [];
	/** @type {Directory} */
	let directory = { members: [], channels: [], roles: [] };
	/** @type {Draft | null} */
	let draft = null;
	/** @type {Map<string, Field>} */
	const fields = new Map();
	/** @type {Map<string, string>} */
	const faults = new Map();
	/** What was sent or left last, for the arrow that brings it back. */
	/** @type {{ path: string, options: readonly TypedOption[] } | null} */
	let last = null;
	let listClosed = false;

	const popup = createPopup();
	const chip = h("button.composer-chip", {
		type: "button",
		hidden: true,
		title: "Leave this command",
		onclick: () => leaveCommand(""),
	});
	const pills = h("span.pills");
	const {
		element: tailBox,
		textarea: tail,
		fit: fitTail,
	} = growingText({
		id: "composer-input",
		"aria-autocomplete": "list",
		"aria-controls": POPUP_LIST_ID,
		"aria-haspopup": "listbox",
		enterkeyhint: "send",
		maxlength: 12_000,
	});
	tailBox.classList.add("tail");
	const sendButton = h(
		"button.send",
		{ type: "submit", "aria-label": "Send", title: "Send (Enter)" },
		icon(ICONS.send),
	);
	const hint = h("p.composer-hint", { role: "status" });
	const line = h("div.composer-line", null, chip, pills, tailBox);
	const element = h(
		"form.composer",
		{ "aria-label": "Composer", autocomplete: "off" },
		popup.element,
		h("div.composer-box", null, line, sendButton),
		hint,
	);

	const choiceSource = createChoiceSource({
		ask: (name, signal) =>
			draft
				? autocomplete(draft.command.path, optionsForAutocomplete(draft, name, directory), name, signal)
				: Promise.resolve([]),
		onChange: showPopup,
	});

	element.addEventListener("submit", (event) => {
		event.preventDefault();
		submit();
	});
	element.addEventListener("keydown", onKey);
	element.addEventListener("focusin", () => {
		listClosed = false;
		showPopup();
	});
	element.addEventListener("focusout", ({ target, relatedTarget }) => {
		const left = [...fields.values()].find(({ focusable }) => focusable === target);
		if (left && draft) judgeQuietly(left.name);
		if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) popup.hide();
	});
	element.addEventListener("paste", (event) => {
		const files = [...(event.clipboardData?.files ?? [])];
		if (files.length === 0) return;
		event.preventDefault();
		takeFiles(files);
	});
	line.addEventListener("pointerdown", (event) => {
		if (event.target !== line && event.target !== pills) return;
		event.preventDefault();
		tail.focus();
	});
	tail.addEventListener("input", () => {
		listClosed = false;
		say("");
		if (draft) addTypedOption();
		else readTyped();
		showPopup();
	});

	/** Text becomes a command as soon as its name is complete. */
	function readTyped() {
		const typed = parseCommandText(commands, tail.value);
		if (typed) enterCommand(openDraft(typed.command, typed.options), "end");
	}

	/** `aspect_ratio:` at the end of the line opens that option. */
	function addTypedOption() {
		const called = /^\s*([^\s:]+):$/.exec(tail.value)?.[1];
		const name = draft && called !== undefined ? optionCalled(draft.command, called)?.name : undefined;
		if (draft && name !== undefined && remainingOptions(draft).some((option) => option.name === name)) openOption(name);
	}

	/**
	 * @param {Draft} next
	 * @param {"first" | "end" | "stay"} focus
	 */
	function enterCommand(next, focus) {
		faults.clear();
		choiceSource.forget();
		for (const field of fields.values()) field.element.remove();
		fields.clear();
		draft = next;
		tail.value = "";
		draw();
		if (focus === "stay") return;
		const target = focus === "first" ? next.pills.find(({ text }) => text === "") : next.pills.at(-1);
		focusOn(target?.name ?? null);
		// A command without options keeps the focus where it was, and no event of it closes the list of commands.
		showPopup();
	}

	/** @param {string} text */
	function leaveCommand(text) {
		draft = null;
		faults.clear();
		choiceSource.forget();
		for (const field of fields.values()) field.element.remove();
		fields.clear();
		tail.value = text;
		say("");
		draw();
		focusOn(null);
		showPopup();
	}

	/** @param {string} name */
	function openOption(name) {
		if (!draft) return;
		draft = withPill(draft, name);
		tail.value = "";
		draw();
		focusOn(name);
	}

	/** @param {string} name */
	function removeOption(name) {
		if (!draft) return;
		const at = draft.pills.findIndex((pill) => pill.name === name);
		if (optionOf(draft.command, name).required) {
			if (at === 0) leaveCommand(`/${draft.command.path}`);
			else focusOn(draft.pills[at - 1]?.name ?? null);
			return;
		}
		draft = withoutPill(draft, name);
		faults.delete(name);
		fields.get(name)?.element.remove();
		fields.delete(name);
		draw();
		focusOn(draft.pills[at - 1]?.name ?? null);
	}

	/** @param {string | null} name */
	function focusOn(name) {
		const field = name === null ? undefined : fields.get(name);
		if (field) field.focus();
		else {
			tail.focus();
			tail.setSelectionRange(tail.value.length, tail.value.length);
		}
	}

	function draw() {
		element.classList.toggle("has-command", draft !== null);
		chip.hidden = draft === null;
		chip.textContent = draft ? `/${draft.command.shown}` : "";
		for (const { name } of draft?.pills ?? []) {
			if (!fields.has(name)) addField(name);
		}
		for (const pill of draft?.pills ?? []) fields.get(pill.name)?.show(pill, faults.get(pill.name) ?? null);
		const left = draft ? remainingOptions(draft).length : 0;
		tail.placeholder =
			draft === null ? "Type / for a command" : left > 0 ? `+${left} option${left === 1 ? "" : "s"}` : "";
		tail.setAttribute(
			"aria-label",
			draft === null ? "Message. Type a slash for commands." : `Add an option; ${left} left. Enter sends.`,
		);
		tailBox.classList.toggle("full", draft !== null && left === 0);
		fitTail();
	}

	/** @param {string} name */
	function addField(name) {
		if (!draft) return;
		const field = createField(optionOf(draft.command, name), {
			onText: (text) => onFieldText(name, text),
			onFiles: (files) => void attach(name, files),
			onRemove: () => removeOption(name),
		});
		fields.set(name, field);
		pills.append(field.element);
	}

	/**
	 * @param {string} name
	 * @param {string} text
	 */
	function onFieldText(name, text) {
		if (!draft) return;
		const ahead = typedAhead(draft.command, name, new Set(draft.pills.map((pill) => pill.name)), text);
		// A slash option is one line, as it is in Discord: pasted line ends become spaces.
		const value = (ahead?.text ?? text).replaceAll(/\s*\n\s*/g, " ");
		draft = changePill(draft, name, { text: value });
		faults.delete(name);
		listClosed = false;
		say("");
		if (ahead?.next) openOption(ahead.next);
		else if (value !== text) {
			const field = fields.get(name);
			field?.show({ name, text: value }, null);
			field?.focus("end");
		}
		draw();
		showPopup();
	}

	/**
	 * @param {string} name
	 * @param {Choice} choice
	 */
	function pick(name, choice) {
		if (!draft) return;
		draft = changePill(draft, name, { text: choice.name, picked: choice });
		faults.delete(name);
		draw();
		const next = draft.pills.find((pill) => pill.text === "" && pill.file === undefined);
		focusOn(next?.name ?? null);
	}

	/**
	 * @param {string} name
	 * @param {readonly File[]} files
	 */
	async function attach(name, files) {
		const file = files[0];
		if (!draft || !file) return;
		const own = draft.command;
		draft = changePill(withPill(draft, name), name, { uploading: file.name, file: undefined });
		faults.delete(name);
		draw();
		focusOn(name);
		try {
			const uploaded = await upload(file);
			if (draft?.command === own) draft = changePill(draft, name, { file: uploaded, uploading: undefined });
		} catch (error) {
			if (draft?.command === own) {
				draft = changePill(draft, name, { uploading: undefined });
				fail(name, error instanceof Error ? error.message : "The file could not be uploaded.");
			}
		}
		draw();
		showPopup();
	}

	/** Files dropped or pasted go to the first option that takes one. @param {readonly File[]} files */
	function takeFiles(files) {
		if (!draft) {
			say("Choose a command that takes a file first, then drop it here.", "fault");
			return;
		}
		const takers = draft.command.options.filter(({ type }) => type === TYPE.attachment).map(({ name }) => name);
		const open = takers.find((name) => !draft?.pills.some((pill) => pill.name === name && pill.file)) ?? takers[0];
		if (open === undefined) say(`/${draft.command.path} takes no file.`, "fault");
		else void attach(open, files);
	}

	/**
	 * What is wrong stands over the field while it has the focus, and below the composer otherwise.
	 *
	 * @param {string} name
	 * @param {string} message
	 */
	function fail(name, message) {
		faults.set(name, message);
		if (fields.get(name)?.focusable !== document.activeElement) say(`${name}: ${message}`, "fault");
	}

	/** Marks what is wrong with a field that was left, without taking anybody's focus. @param {string} name */
	function judgeQuietly(name) {
		const pill = draft?.pills.find((candidate) => candidate.name === name);
		if (!draft || !pill || pill.text.trim() === "") return;
		const verdict = judgePill(optionOf(draft.command, name), pill, directory);
		if (!verdict.ok && verdict.message !== "") faults.set(name, verdict.message);
		draw();
	}

	/**
	 * @param {string} text
	 * @param {"" | "fault"} tone
	 * @param {...Node} extra
	 */
	function say(text, tone = "", ...extra) {
		hint.replaceChildren(text, ...extra);
		hint.className = `composer-hint ${tone}`;
		hint.setAttribute("role", tone === "fault" ? "alert" : "status");
	}

	function submit() {
		if (!draft) return submitText();
		const loose = looseFault(draft.command, tail.value);
		if (loose !== null) return say(loose, "fault");
		const verdict = judgeDraft(draft, directory);
		if (!verdict.ok) {
			focusOn(verdict.name);
			fail(verdict.name, verdict.message);
			listClosed = false;
			draw();
			showPopup();
			return;
		}
		const sent = draft;
		last = { path: sent.command.path, options: shownOptions(sent) };
		leaveCommand("");
		send(sent.command.path, verdict.options, shownOptions(sent)).catch((error) => {
			if (!draft && tail.value === "") enterCommand(sent, "end");
			say(error instanceof Error ? error.message : "The playground did not take the command.", "fault");
		});
	}

	function submitText() {
		const text = tail.value.trim();
		if (text === "") return;
		const exact = commands.find(({ path }) => text === `/${path}`);
		if (exact) {
			enterCommand(openDraft(exact), "first");
			if (!exact.options.some(({ required }) => required)) submit();
		} else if (text.startsWith("/")) {
			say(`There is no command ${text.split(/\s/)[0]} here. Type / to see them all.`, "fault");
		} else offerCommands(text);
	}

	/** This playground only speaks slash commands; the words need not be typed twice. @param {string} text */
	function offerCommands(text) {
		const takers = commands.filter(({ options }) =>
			options.some(({ name, required }) => name === "prompt" && required),
		);
		const buttons = takers.map((command) =>
			h(
				"button.text-button",
				{ type: "button", onclick: () => enterCommand(openDraft(command, [{ name: "prompt", text }]), "end") },
				`/${command.path}`,
			),
		);
		say(
			"This playground only speaks slash commands. ",
			"",
			...(buttons.length > 0 ? [h("span", null, "Use these words with "), ...buttons] : []),
		);
	}

	/** @param {KeyboardEvent} event */
	function onKey(event) {
		if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
		const field = [...fields.values()].find(({ focusable }) => focusable === event.target) ?? null;
		if (!field && event.target !== tail) return;
		const text = field ? field.textarea : tail;
		const action = keyAction({
			key: event.key,
			shift: event.shiftKey,
			inCommand: draft !== null,
			place: field ? (field.textarea ? "text" : "file") : "end",
			text: text?.value ?? "",
			caret: text && text.selectionStart === text.selectionEnd ? text.selectionStart : null,
			hasFile: field !== null && pillOf(field.name)?.file !== undefined,
			listOpen: popup.hasItems,
			lineMarked: popup.hasActive,
			writtenOut: isWrittenOut(field),
		});
		if (action === null) return;
		event.preventDefault();
		act(action, field);
	}

	/**
	 * @param {KeyAction} action
	 * @param {Field | null} field
	 */
	function act(action, field) {
		switch (action) {
			case "markNext":
				return popup.move(1);
			case "markPrevious":
				return popup.move(-1);
			case "choose":
				return popup.choose();
			case "send":
				return submit();
			case "closeList":
				listClosed = true;
				return popup.hide();
			case "leaveCommand":
				if (draft) last = { path: draft.command.path, options: shownOptions(draft) };
				return leaveCommand("");
			case "recall":
				if (last) fillCommand(last.path, last.options);
				return;
			case "dropFile":
				if (draft && field) draft = changePill(draft, field.name, { file: undefined });
				return draw();
			case "removeOption":
				if (field) removeOption(field.name);
				return;
			case "stepLeft":
				return step(field, -1);
			case "stepRight":
				return step(field, 1);
		}
	}

	/** Whether a command or a value from a list stands there in full. @param {Field | null} field */
	function isWrittenOut(field) {
		if (!draft) return commands.some(({ path, options }) => tail.value.trim() === `/${path}` && options.length === 0);
		const pill = field && pillOf(field.name);
		if (!pill || pill.text.trim() === "") return false;
		const option = optionOf(draft.command, pill.name);
		const known = isAutocompleted(option) ? choiceSource.known(pill.name) : fixedChoices(option, directory);
		return choiceOf(known ?? [], pill.text) !== undefined;
	}

	/**
	 * From field to field; left of the first one the command is left, and its name can be typed anew.
	 *
	 * @param {Field | null} field
	 * @param {1 | -1} by
	 */
	function step(field, by) {
		if (!draft) return;
		const at = field ? draft.pills.findIndex(({ name }) => name === field.name) : draft.pills.length;
		const next = draft.pills[at + by];
		if (next) fields.get(next.name)?.focus(by === 1 ? "start" : "end");
		else if (by === 1) focusOn(null);
		else if (draft.pills.length === 0) leaveCommand(`/${draft.command.path}`);
	}

	/** @param {string} name */
	function pillOf(name) {
		return draft?.pills.find((pill) => pill.name === name);
	}

	function showPopup() {
		const focused = document.activeElement;
		const field = [...fields.values()].find(({ focusable }) => focusable === focused);
		const owner = field?.focusable ?? (focused === tail ? tail : null);
		const content = listClosed || !owner ? null : contentFor(field);
		if (owner && content) popup.show(owner, content);
		else popup.hide();
	}

	/** @param {Field | undefined} field */
	function contentFor(field) {
		if (!draft) return commandList(commands, tail.value, (command) => enterCommand(openDraft(command), "first"));
		if (!field) return optionList(draft, tail.value, openOption);
		const option = optionOf(draft.command, field.name);
		const pill = pillOf(field.name);
		if (!pill) return null;
		const query = pill.picked?.name === pill.text ? "" : pill.text;
		const asked = isAutocompleted(option) ? choiceSource.look(field.name, query) : null;
		const fault = faults.get(field.name) ?? null;
		return valueList(option, pill, { asked, fault, directory }, (choice) => pick(field.name, choice));
	}

	/**
	 * @param {string} path
	 * @param {readonly TypedOption[]} options
	 */
	function fillCommand(path, options) {
		const command = commands.find((candidate) => candidate.path === path);
		if (!command) {
			leaveCommand(`/${path}`);
			return;
		}
		const known = options.filter(({ name }) => command.options.some((option) => option.name === name));
		enterCommand(openDraft(command, known), "end");
	}

	draw();
	return {
		element,
		/**
		 * @param {readonly Command[]} nextCommands
		 * @param {Directory} nextDirectory
		 */
		update(nextCommands, nextDirectory) {
			directory = nextDirectory;
			if (JSON.stringify(nextCommands) === JSON.stringify(commands)) return;
			commands = nextCommands;
			// The command being typed may have changed under the person's hands: what still fits is kept.
			const same = commands.find(({ path }) => path === draft?.command.path);
			if (draft && same) enterCommand(carriedOver(draft, same), "stay");
			showPopup();
		},
		fillCommand,
		takeFiles,
		focus: () => focusOn(draft?.pills.at(-1)?.name ?? null),
	};
}
