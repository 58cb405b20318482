import { signal } from "@preact/signals";
import { type APIAttachment, type APIMessage, ApplicationCommandOptionType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { Choice } from "../../web/src/command-draft.ts";
import type { Command, Option } from "../../web/src/command-text.ts";
import { keyAction } from "../../web/src/composer-keys.ts";
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
	readonly autocomplete?: (values: readonly unknown[]) => Promise<readonly Choice[]>;
}

/** A composer after this text was typed, with the commands and the messages that it sends. */
function composerAfter(typed: string, { rejection, autocomplete = async () => [] }: ComposerAnswers = {}) {
	const sent: unknown[] = [];
	const said: unknown[] = [];
	const uploads: PromiseWithResolvers<APIAttachment>[] = [];
	const composer = createComposer({
		commands: signal(COMMANDS),
		directory: signal(DIRECTORY),
		send: async (name, options) => void sent.push([name, ...options.map(({ value }) => value)]),
		sendText: async (text, replyTarget) => {
			if (rejection !== undefined) throw new Error(rejection);
			said.push([text, replyTarget?.id]);
		},
		autocomplete: (_command, options) => autocomplete(options.map(({ value }) => value)),
		upload: () => {
			const upload = Promise.withResolvers<APIAttachment>();
			uploads.push(upload);
			return upload.promise;
		},
	});
	composer.typeTail(typed);
	const shown = () => [composer.tail.value, composer.replyTarget.value];
	return { composer, sent, said, uploads, shown };
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
		const action = keyAction(composer, { key: key.replace("Shift+", ""), isShift, field, text, caret: text.length });
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

const message = { id: "1", content: "a boat" } as APIMessage;

describe("text that is no command", () => {
	test("is sent as a message, in reply to the chosen one", () => {
		const { composer, said, shown } = composerAfter("  a boat ");
		composer.startReply(message);
		composer.submit();
		expect(said).toStrictEqual([["a boat", "1"]]);
		expect(shown()).toStrictEqual(["", null]);
	});

	test("stays in the composer with the reason if the playground rejects it", async () => {
		const { composer, shown } = composerAfter("a boat", { rejection: "You may not write in this channel." });
		composer.startReply(message);
		composer.submit();
		await expect.poll(() => composer.hint.value).toBe("You may not write in this channel.");
		expect(shown()).toStrictEqual(["a boat", message]);
	});

	test("that begins with a slash is not sent if no command has this name", () => {
		const { composer, said } = composerAfter("/unknown");
		composer.submit();
		expect(said).toStrictEqual([]);
		expect(composer.hint.value).toContain("There is no command /unknown");
	});
});

test("a reply ends when a command is opened", () => {
	const { composer, shown } = composerAfter("");
	composer.startReply(message);
	composer.openCommand("help", []);
	expect([shown(), composer.draft.value?.command.path]).toStrictEqual([["", null], "help"]);
});

const fileNamed = (name: string) => new File(["x"], name);
const uploaded = (filename: string) => ({ id: filename, filename, size: 1, url: "", proxy_url: "" });

/** The names of the uploaded file and of the one that is being uploaded. */
function filesOf({ draft }: ReturnType<typeof createComposer>) {
	const { file, uploading } = draft.value?.options.find(({ name }) => name === "file") ?? {};
	return [file?.filename, uploading?.name];
}

describe("files", () => {
	test("of a slow upload do not replace a file that was chosen later", async () => {
		const { composer, uploads } = composerAfter("/look size: small ");
		const attached = [fileNamed("slow.png"), fileNamed("fast.png")].map((file) => composer.attach("file", file));
		uploads[1]?.resolve(uploaded("fast.png"));
		await attached[1];
		uploads[0]?.resolve(uploaded("slow.png"));
		await attached[0];
		expect(filesOf(composer)).toStrictEqual(["fast.png", undefined]);
	});

	test("go to the free options in order, and the rest are named as too many", async () => {
		const { composer, uploads } = composerAfter("/look size: small ");
		composer.takeFiles([fileNamed("a.png"), fileNamed("b.png")]);
		expect([uploads.length, composer.hint.value]).toStrictEqual([1, "/look takes no further file."]);
		expect(filesOf(composer)).toStrictEqual([undefined, "a.png"]);
		uploads[0]?.reject(new Error("too large"));
		await expect.poll(() => composer.draft.value?.options[1]?.error).toBe("too large");
		expect(filesOf(composer)).toStrictEqual([undefined, undefined]);
	});

	test.each(["before", "after"])(
		"that were uploaded %s a change of the user are removed, texts are not",
		async (order) => {
			const { composer, uploads } = composerAfter("/look size: small ");
			const attached = composer.attach("file", fileNamed("boat.png"));
			if (order === "after") composer.changeUser();
			uploads[0]?.resolve(uploaded("boat.png"));
			await attached;
			if (order === "before") composer.changeUser();
			expect(filesOf(composer)).toStrictEqual([undefined, undefined]);
			expect(composer.draft.value?.options[0]?.text).toBe("small");
		},
	);
});
