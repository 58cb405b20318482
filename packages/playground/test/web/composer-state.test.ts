import { signal } from "@preact/signals";
import { type APIAttachment, type APIMessage, ApplicationCommandOptionType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { Choice } from "../../web/src/command-draft.ts";
import type { Command, Option } from "../../web/src/command-text.ts";
import { createComposer, TAIL } from "../../web/src/composer-state.ts";

const option = (name: string, required: boolean, change: object = {}) =>
	({ type: ApplicationCommandOptionType.String, name, description: name, required, ...change }) as Option;
const command = (path: string, ...options: Option[]): Command => ({ path, label: path, description: path, options });

const sizes = ["small", "large"].map((name) => ({ name, value: name }));
const COMMANDS = [
	command("credits grant", option("member", true), option("amount", true), option("reason", false)),
	command("help"),
	command("paint", option("style", false, { autocomplete: true }), option("size", false, { choices: sizes })),
	command(
		"look",
		option("size", true, { choices: sizes }),
		option("file", false, { type: ApplicationCommandOptionType.Attachment }),
	),
];

const mia = { id: "7", username: "mia", global_name: "Mia", discriminator: "0", avatar: null };
const DIRECTORY = {
	members: [{ user: mia, nick: null, isAdmin: false, roleIds: [], permissions: "0", locale: "en-US" }],
	channels: [{ id: "10", type: 0, name: "general", topic: "" }],
	roles: [{ id: "20", name: "Artists" }],
};

interface ComposerAnswers {
	readonly rejection?: string;
	readonly upload?: Promise<APIAttachment>;
	readonly autocomplete?: (values: readonly unknown[]) => Promise<readonly Choice[]>;
}

/** A composer after this text was typed, with the commands and the messages that it sends. */
function composerAfter(typed: string, { rejection, upload, autocomplete = async () => [] }: ComposerAnswers = {}) {
	const sent: unknown[] = [];
	const said: unknown[] = [];
	const composer = createComposer({
		commands: signal(COMMANDS),
		directory: signal(DIRECTORY),
		send: async (name, options) => void sent.push([name, ...options.map(({ value }) => value)]),
		sendText: async (text, target) => {
			if (rejection !== undefined) throw new Error(rejection);
			said.push([text, target?.kind, target?.message.id]);
		},
		autocomplete: (_command, options) => autocomplete(options.map(({ value }) => value)),
		upload: () => upload ?? Promise.reject(new Error("no uploads here")),
	});
	composer.typeTail(typed);
	const shown = () => [composer.tail.value, composer.target.value?.kind ?? null];
	return { composer, sent, said, shown };
}

/** Presses keys in the field with the focus, the caret at the end of its text. Keys without a meaning are named in the result. */
function pressKeys(typed: string, keys: string) {
	const { composer, sent } = composerAfter(typed);
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
	return { line, focus: focusTarget.value?.name, sent, unhandled };
}

describe("keys", () => {
	const twoFields = "/look size: small file: ";
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
		["Enter in an empty file option opens the browser's dialog", twoFields, "Enter", { unhandled: ["Enter"] }],
		["Enter chooses a member to mention", "ask @mi", "Enter", { line: "ask <@7> ", sent: [] }],
		["Enter chooses a role to mention", "@art", "Enter", { line: "<@&20> " }],
		["Enter chooses a channel to mention", "see #", "Enter", { line: "see <#10> " }],
		["Enter sends a text with a sign that mentions none", "mia@example.com", "Enter", { line: "" }],
		["Enter with Shift starts a new line of a message", "a boat", "Shift+Enter", { unhandled: ["Shift+Enter"] }],
		["Escape closes the list, then the command", "/look ", "Escape Escape", { line: "" }],
		["Backspace removes an empty option", twoFields, "Backspace", { line: "[look] size=small", focus: "size" }],
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

test("a mention is chosen at the caret", () => {
	const { composer } = composerAfter("");
	composer.onFocus(TAIL);
	composer.typeTail("ask @mi for @boats", 7);
	expect(composer.list.value?.items.map(({ title }) => title)).toStrictEqual(["Mia"]);
	composer.list.value?.items[0]?.choose();
	expect(composer.tail.value).toBe("ask <@7> for @boats");
	expect(composer.focusTarget.value).toStrictEqual({ name: TAIL, at: 9 });
});

test("autocomplete asks again after another option has changed, and after an error", async () => {
	const asked: unknown[] = [];
	const { composer } = composerAfter("/paint style: oil size: small ", {
		autocomplete: async (values) => {
			asked.push(values);
			throw new Error("no choices");
		},
	});
	const focusStyle = async (count: number): Promise<void> => {
		composer.onFocus("style");
		await expect.poll(() => asked.length).toBe(count);
		await expect.poll(() => composer.list.value?.error).toBe("no choices");
		composer.onBlur("style", true);
	};
	await focusStyle(1);
	composer.typeOption("size", "large");
	await focusStyle(2);
	await focusStyle(3);
	expect(asked).toStrictEqual([
		["oil", "small"],
		["oil", "large"],
		["oil", "large"],
	]);
});

const message = { id: "1", content: "a boat", attachments: [] as object[] } as APIMessage;
const boat = { id: "9", filename: "boat.png" } as APIAttachment;
const withFile = { ...message, id: "2", attachments: [{ id: "9" }] as object[] } as APIMessage;

describe("text that is no command", () => {
	test("is sent as a message, in reply to the chosen one", () => {
		const { composer, said, shown } = composerAfter("  a boat ");
		composer.startReply(message);
		composer.submit();
		expect(said).toStrictEqual([["a boat", "reply", "1"]]);
		expect(shown()).toStrictEqual(["", null]);
	});

	test("stays in the composer with the reason if the playground rejects it", async () => {
		const { composer, shown } = composerAfter("a boat", { rejection: "You may not write in this channel." });
		composer.submit();
		await expect.poll(() => composer.hint.value).toBe("You may not write in this channel.");
		expect(shown()).toStrictEqual(["a boat", null]);
	});

	test("that begins with a slash is not sent if no command has this name", () => {
		const { composer, said } = composerAfter("/unknown");
		composer.submit();
		expect(said).toStrictEqual([]);
		expect(composer.hint.value).toContain("There is no command /unknown");
	});
});

describe("an edit", () => {
	test("replaces the text of an own message, unless it is canceled, and may begin with a slash", () => {
		const { composer, said, shown } = composerAfter("");
		composer.startEdit(message);
		expect(shown()).toStrictEqual(["a boat", "edit"]);
		composer.cancelTarget();
		expect(shown()).toStrictEqual(["", null]);
		composer.startEdit(message);
		composer.typeTail("/help ");
		expect([composer.draft.value, composer.list.value]).toStrictEqual([null, null]);
		composer.submit();
		expect(said).toStrictEqual([["/help", "edit", "1"]]);
		expect(shown()).toStrictEqual(["", null]);
	});

	test.each(["startEdit", "startReply"] as const)("or a reply (%s) ends when a command is opened", (start) => {
		const { composer } = composerAfter("");
		composer[start](message);
		composer.openCommand("help", []);
		expect([composer.target.value, composer.draft.value?.command.path]).toStrictEqual([null, "help"]);
	});

	test.each(["submit", "cancelTarget", "startReply"] as const)(
		"returns the text that was in the composer before, when it ends by %s",
		(end) => {
			const { composer } = composerAfter("a draft");
			composer.startEdit(message);
			composer.startEdit(withFile);
			composer[end](message);
			expect(composer.tail.value).toBe("a draft");
		},
	);

	test.each(["resolve", "reject"] as const)(
		"returns the command that was in the composer before, with an upload that ends meanwhile (%s)",
		async (end) => {
			const uploaded = Promise.withResolvers<APIAttachment>();
			const { composer } = composerAfter("/look size: small ", { upload: uploaded.promise });
			const attached = composer.attach("file", [new File(["x"], "boat.png")]);
			composer.startEdit(message);
			uploaded[end](boat);
			await attached;
			composer.cancelTarget();
			const file = end === "resolve" ? { id: "9" } : undefined;
			expect(composer.draft.value?.options).toMatchObject([
				{ name: "size", text: "small" },
				{ name: "file", uploadingFilename: undefined, file },
			]);
		},
	);

	test.each(["before", "after"])(
		"for another user keeps the texts, but no file that was uploaded %s the change",
		async (order) => {
			const uploaded = Promise.withResolvers<APIAttachment>();
			const { composer } = composerAfter("/look size: small ", { upload: uploaded.promise });
			const attached = composer.attach("file", [new File(["x"], "boat.png")]);
			if (order === "after") composer.changeUser();
			uploaded.resolve(boat);
			await attached;
			if (order === "before") composer.changeUser();
			expect(composer.draft.value?.options).toMatchObject([
				{ name: "size", text: "small" },
				{ name: "file", file: undefined, uploadingFilename: undefined },
			]);
		},
	);

	test("may remove the text of a message with files, but not of another", () => {
		const { composer, said } = composerAfter("");
		for (const edited of [message, withFile]) {
			composer.startEdit(edited);
			composer.typeTail("");
			composer.submit();
		}
		expect(said).toStrictEqual([["", "edit", "2"]]);
	});

	test("continues with its text if the playground rejects it", async () => {
		const { composer, shown } = composerAfter("a draft", { rejection: "This thread is archived." });
		composer.startEdit(message);
		composer.typeTail("a ship");
		composer.submit();
		await expect.poll(() => composer.hint.value).toBe("This thread is archived.");
		expect(shown()).toStrictEqual(["a ship", "edit"]);
		composer.cancelTarget();
		expect(shown()).toStrictEqual(["a draft", null]);
	});
});
