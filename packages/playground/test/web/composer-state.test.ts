import { signal } from "@preact/signals";
import { type APIAttachment, type APIMessage, ApplicationCommandOptionType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { Command, Option } from "../../web/src/command-text.ts";
import { createComposer, TAIL, type TextTarget } from "../../web/src/composer-state.ts";

const option = (name: string, required: boolean, type = ApplicationCommandOptionType.String) =>
	({ type, name, description: name, required }) as Option;
const grant: Command = {
	path: "credits grant",
	label: "credits grant",
	description: "Grants credits",
	options: [option("member", true), option("amount", true), option("reason", false)],
};
const help: Command = { path: "help", label: "help", description: "Help", options: [] };
const look: Command = {
	path: "look",
	label: "look",
	description: "Looks",
	options: [
		{ ...option("size", true), choices: ["small", "large"].map((name) => ({ name, value: name })) } as Option,
		option("file", false, ApplicationCommandOptionType.Attachment),
	],
};

const sent: unknown[] = [];

function composerAfter(
	typed: string,
	say: (text: string, target: TextTarget | null) => Promise<void> = async () => {},
	upload: () => Promise<APIAttachment> = () => Promise.reject(new Error("no uploads here")),
) {
	const composer = createComposer({
		commands: signal([grant, help, look]),
		directory: signal({ members: [], channels: [], roles: [] }),
		send: async (command, options) => void sent.push([command, ...options.map(({ value }) => value)]),
		say,
		autocomplete: async () => [],
		upload,
	});
	composer.typeTail(typed);
	return composer;
}

/** Presses keys in the field with the focus, the caret at the end of its text. Keys without a meaning are named in the result. */
function pressKeys(typed: string, keys: string) {
	sent.length = 0;
	const composer = composerAfter(typed);
	const unhandled: string[] = [];
	for (const key of keys.split(" ")) {
		const field = composer.focusTarget.value?.name ?? TAIL;
		if (composer.focused.value !== field) composer.onFocus(field);
		const edited = composer.draft.value?.options.find(({ name }) => name === field);
		const text = field === TAIL ? composer.tail.value : (edited?.text ?? "");
		const isShift = key.startsWith("Shift+");
		const action = composer.actionOf({ key: key.replace("Shift+", ""), isShift, field, text, caret: text.length });
		if (action) action();
		else unhandled.push(key);
	}
	const { draft, tail, focusTarget } = composer;
	const options = draft.value?.options.map(({ name, text }) => `${name}=${text}`).join(" ");
	const line = [draft.value ? `[${draft.value.command.path}]` : "", options, tail.value].filter(Boolean).join(" ");
	return { line, focus: focusTarget.value?.name, sent: [...sent], unhandled };
}

describe("keys", () => {
	test.each<[rule: string, typed: string, keys: string, result: object]>([
		["Enter chooses the active command", "/gra", "Enter", { line: "[credits grant] member= amount=", focus: "member" }],
		["Tab chooses as well", "/gra", "Tab", { focus: "member" }],
		["Tab with Shift moves the focus", "/gra", "Shift+Tab", { unhandled: ["Shift+Tab"] }],
		["the arrows move through the list, round its end", "/", "ArrowUp Enter", { line: "[look] size=" }],
		["arrows have their usual meaning without a list", "a boat", "ArrowDown", { unhandled: ["ArrowDown"] }],
		["Enter sends a complete command without options", "/help", "Enter", { sent: [["help"]], line: "" }],
		[
			"Enter chooses a value that is typed in part",
			"/look size: sm ",
			"Enter",
			{ line: "[look] size=small", sent: [] },
		],
		["Enter sends a value that is complete", "/look size: small ", "Enter", { sent: [["look", "small"]] }],
		["Enter does not send without a required value", "/look ", "Escape Enter", { sent: [], focus: "size" }],
		[
			"Enter in an empty file option opens the browser's dialog",
			"/look size: small file: ",
			"Enter",
			{ unhandled: ["Enter"] },
		],
		["Enter with Shift starts a new line of a message", "a boat", "Shift+Enter", { unhandled: ["Shift+Enter"] }],
		["Escape closes the list, then the command", "/look ", "Escape Escape", { line: "" }],
		[
			"Backspace removes an empty option",
			"/look size: small file: ",
			"Backspace",
			{ line: "[look] size=small", focus: "size" },
		],
		["Backspace in the first required option closes the command", "/look ", "Backspace", { line: "/look" }],
		["Backspace deletes a character of a text", "/look size: sm ", "Backspace", { unhandled: ["Backspace"] }],
		["Backspace at the end goes to the last option", "/look size: small ", "ArrowRight Backspace", { focus: "size" }],
		[
			"an arrow leaves a field only at its edge",
			"/look size: sm ",
			"ArrowLeft ArrowRight",
			{ unhandled: ["ArrowLeft"], focus: TAIL },
		],
	])("%s", (_rule, typed, keys, result) => {
		expect(pressKeys(typed, keys)).toMatchObject(result);
	});
});

describe("text that is no command", () => {
	test("is sent as a message, in reply to the chosen one", () => {
		const said: unknown[] = [];
		const composer = composerAfter("  a boat ", async (...message) => void said.push(message));
		const message = { id: "1" } as APIMessage;
		composer.startReply(message);
		composer.submit();
		expect(said).toStrictEqual([["a boat", { kind: "reply", message }]]);
		expect([composer.tail.value, composer.target.value]).toStrictEqual(["", null]);
	});

	test("replaces that of an own message, unless the edit is canceled", () => {
		const said: unknown[] = [];
		const composer = composerAfter("", async (...message) => void said.push(message));
		const message = { id: "1", content: "a boat" } as APIMessage;
		composer.startEdit(message);
		expect(composer.tail.value).toBe("a boat");
		composer.cancelTarget();
		expect([composer.tail.value, composer.target.value]).toStrictEqual(["", null]);
		composer.startEdit(message);
		composer.typeTail("a ship");
		composer.submit();
		expect(said).toStrictEqual([["a ship", { kind: "edit", message }]]);
		expect([composer.tail.value, composer.target.value]).toStrictEqual(["", null]);
	});

	test("stays in the composer with the reason if the playground rejects it", async () => {
		const composer = composerAfter("a boat", () => Promise.reject(new Error("You may not write in this channel.")));
		composer.submit();
		await expect.poll(() => composer.hint.value).toBe("You may not write in this channel.");
		expect(composer.tail.value).toBe("a boat");
	});

	test("that begins with a slash is not sent if no command has this name", () => {
		const said: unknown[] = [];
		const composer = composerAfter("/unknown", async (...message) => void said.push(message));
		composer.submit();
		expect(said).toStrictEqual([]);
		expect(composer.hint.value).toContain("There is no command /unknown");
	});
});

function composerWith(typedText: string) {
	const said: unknown[] = [];
	const composer = composerAfter(typedText, async (text, target) => void said.push([text, target?.kind]));
	return { composer, said };
}

describe("an edit", () => {
	const message = { id: "1", content: "a boat", attachments: [] as object[] } as APIMessage;
	const withFile = { id: "2", content: "a boat", attachments: [{ id: "9" }] as object[] } as APIMessage;

	test("may begin with a slash", () => {
		const { composer, said } = composerWith("");
		composer.startEdit(message);
		composer.typeTail("/help ");
		expect([composer.draft.value, composer.list.value]).toStrictEqual([null, null]);
		composer.submit();
		expect(said).toStrictEqual([["/help", "edit"]]);
	});

	test("and a reply end when a command is opened", () => {
		for (const start of ["startEdit", "startReply"] as const) {
			const { composer } = composerWith("");
			composer[start](message);
			composer.openCommand("help", []);
			expect([composer.target.value, composer.draft.value?.command.path]).toStrictEqual([null, "help"]);
		}
	});

	test("returns what was in the composer before, when it is sent, canceled, or becomes a reply", () => {
		for (const end of ["submit", "cancelTarget", "startReply"] as const) {
			const { composer } = composerWith("a draft");
			composer.startEdit(message);
			composer.startEdit(withFile);
			composer[end](message);
			expect(composer.tail.value).toBe("a draft");
		}
		const { composer } = composerWith("/look size: small ");
		composer.startEdit(message);
		composer.cancelTarget();
		expect(composer.draft.value?.options).toMatchObject([{ name: "size", text: "small" }]);
	});

	test("does not lose an upload for the command before it that ends meanwhile", async () => {
		const boat = { id: "9", filename: "boat.png" } as APIAttachment;
		for (const end of ["resolve", "reject"] as const) {
			const uploaded = Promise.withResolvers<APIAttachment>();
			const composer = composerAfter("/look size: small ", undefined, () => uploaded.promise);
			const attached = composer.attach("file", [new File(["x"], "boat.png")]);
			composer.startEdit(message);
			uploaded[end](boat);
			await attached;
			composer.cancelTarget();
			const file = end === "resolve" ? { id: "9" } : undefined;
			expect(composer.draft.value?.options[1]).toMatchObject({ name: "file", uploadingFilename: undefined, file });
		}
	});

	test("may remove the text of a message with files, but not of another", () => {
		const { composer, said } = composerWith("");
		for (const edited of [message, withFile]) {
			composer.startEdit(edited);
			composer.typeTail("");
			composer.submit();
		}
		expect(said).toStrictEqual([["", "edit"]]);
	});

	test("continues with its text if the playground rejects it", async () => {
		const composer = composerAfter("a draft", () => Promise.reject(new Error("This thread is archived.")));
		composer.startEdit(message);
		composer.typeTail("a ship");
		composer.submit();
		await expect.poll(() => composer.hint.value).toBe("This thread is archived.");
		expect([composer.tail.value, composer.target.value?.kind]).toStrictEqual(["a ship", "edit"]);
		composer.cancelTarget();
		expect(composer.tail.value).toBe("a draft");
	});
});
