/**
 * A user of the page without a browser: types commands, presses buttons, uploads files, and reads what is shown. The
 * demo and every end-to-end test use it.
 */
import type { APIApplicationCommandOptionChoice, APIAttachment, APIMessage } from "discord-api-types/v10";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { createPageClient, requestJson } from "../page/page-client.ts";
import {
	type BodyOf,
	DIRECT_CHANNEL,
	type StartedInteraction,
	type PageError,
	type PageEvent,
	type PageMember,
	type PageModal,
	type PageState,
} from "../page/page-contract.ts";
import { interactiveComponents, optionsOf } from "../simulator/components.ts";
import { createObserver, type Reply } from "./observer.ts";

export type { Reply } from "./observer.ts";

const RECONNECT_AFTER_MS = 100;

interface Upload {
	readonly name: string;
	readonly bytes: Uint8Array;
	readonly contentType?: string;
}

type OptionValues = { readonly [name: string]: string | number | boolean };

type FieldValues = { readonly [customId: string]: string | boolean | readonly string[] };
type ControlName = { readonly customId: string } | { readonly label: string };
type MessageId = Pick<APIMessage, "id" | "channel_id">;
type ContextTarget = Pick<APIMessage, "id" | "channel_id"> | Pick<PageMember, "user">;

/** The name or the id of a channel, or `@me` for direct messages with the bot; by default the first channel of the guild. */
type ChannelChoice = { readonly channel?: string };

export type UserClient = Awaited<ReturnType<typeof openUserClient>>;

export async function openUserClient(
	origin: string,
	options: { readonly user?: string; readonly guild?: string; readonly signal?: AbortSignal } = {},
) {
	const { user, guild } = options;
	const closed = new AbortController();
	const signal = options.signal ? AbortSignal.any([closed.signal, options.signal]) : closed.signal;
	const observer = createObserver(signal);
	const viewer = { ...(user !== undefined && { user }), ...(guild !== undefined && { guild }) };
	const query = `?${new URLSearchParams(viewer).toString()}`;

	const page = createPageClient((route, body) =>
		requestJson(`${origin}/playground/${route}${query}`, { body, signal }),
	);

	let events = readEvents();
	const first = (await events.next()).value as PageEvent | undefined;
	if (first?.type !== "state") throw new Error("The event stream does not begin with the state.");
	const initialState = first.state;
	observer.handleEvent(first);
	const watching = watch();

	async function* readEvents(): AsyncGenerator<PageEvent> {
		const response = await fetch(`${origin}/playground/events${query}`, { signal });
		if (!response.ok) throw new Error(((await response.json()) as PageError).message);
		if (!response.body) throw new Error("The event stream has no body.");
		const stream = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
		for await (const { data } of stream) yield JSON.parse(data) as PageEvent;
	}

	/** Reads events until `close` is called or the signal aborts. Reconnects after a restart of the playground. */
	async function watch(): Promise<void> {
		while (!signal.aborted) {
			try {
				for await (const event of events) observer.handleEvent(event);
			} catch {
				// The stream broke, or could not be opened. Try again.
			}
			if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS));
			events = readEvents();
		}
	}

	async function channelNamed(name: string | undefined): Promise<string> {
		// An id in any guild.
		if (name === DIRECT_CHANNEL || (name !== undefined && /^\d{17,20}$/.test(name))) return name;
		const findIn = ({ channels }: PageState): PageState["channels"][number] | undefined =>
			name === undefined ? channels[0] : channels.find((channel) => channel.name === name);
		const found = findIn(initialState) ?? findIn(await page.state());
		if (!found) throw new Error(`unknown channel: ${name}`);
		return found.id;
	}

	async function commandRequest(command: string, values: OptionValues, { channel }: ChannelChoice) {
		const input = Object.entries(values).map(([name, value]) => ({ name, value }));
		return { channelId: await channelNamed(channel), command, options: input };
	}

	/** Follows the outcome of an interaction. */
	async function replyTo(sent: Promise<StartedInteraction>): Promise<Reply> {
		return observer.reply((await sent).interactionId);
	}

	/** Resolves to the attachment's id. */
	async function uploadFile({ name, bytes, contentType = "application/octet-stream" }: Upload): Promise<string> {
		return (await page.upload(new Blob([Uint8Array.from(bytes)], { type: contentType }), name)).id;
	}

	return {
		me: initialState.me,
		/** Writes a plain message, or starts a poll. Rejects with the page's message if the user may not. */
		async say(
			content: string,
			{
				channel,
				replyTo: repliedMessage,
				files = [],
				poll,
			}: ChannelChoice & {
				readonly replyTo?: Pick<APIMessage, "id">;
				readonly files?: readonly Upload[];
				readonly poll?: BodyOf<"say">["poll"];
			} = {},
		): Promise<APIMessage> {
			const channelId = await channelNamed(channel);
			const uploads = await Promise.all(files.map((file) => uploadFile(file)));
			const request = {
				channelId,
				content,
				files: uploads,
				...(repliedMessage && { replyTo: repliedMessage.id }),
				...(poll && { poll }),
			};
			return (await page.say(request)).message;
		},
		/** Edits the text of a message of the user. */
		async edit({ id, channel_id: channelId }: MessageId, content: string): Promise<APIMessage> {
			return (await page.editMessage({ channelId, messageId: id, content })).message;
		},
		/** Deletes a message: one of the user, or any if the user manages messages. */
		delete: ({ id, channel_id: channelId }: MessageId): Promise<void> =>
			page.deleteMessage({ channelId, messageId: id }),
		/** Adds a reaction with a Unicode emoji, or with a custom one, `name:id`. */
		react: ({ id, channel_id: channelId }: MessageId, emoji: string): Promise<void> =>
			page.react({ channelId, messageId: id, emoji }),
		/** Removes a reaction of the user. */
		unreact: ({ id, channel_id: channelId }: MessageId, emoji: string): Promise<void> =>
			page.unreact({ channelId, messageId: id, emoji }),
		/** Chooses these answers of a poll, by number, instead of earlier ones. Without answers, the vote is taken back. */
		vote: ({ id, channel_id: channelId }: MessageId, ...answers: readonly number[]): Promise<void> =>
			page.vote({ channelId, messageId: id, answers }),
		/** Starts a thread: of a message, or in a channel, there also a private one. Resolves to its id. */
		async startThread(
			name: string,
			{
				message,
				channel,
				isPrivate,
			}: ChannelChoice & { readonly message?: MessageId; readonly isPrivate?: boolean } = {},
		): Promise<string> {
			const channelId = message?.channel_id ?? (await channelNamed(channel));
			const request = { channelId, name, isPrivate, ...(message && { messageId: message.id }) };
			return (await page.startThread(request)).threadId;
		},
		/** Opens the direct messages with the bot before the first one. Resolves to the channel's id. */
		openDirect: async (): Promise<string> => (await page.openDirect({})).channelId,
		untilMessage: observer.untilMessage,
		untilGone: observer.untilGone,
		/** Types a command. Rejects with the page's message if it is invalid. */
		async type(command: string, values: OptionValues = {}, channelChoice: ChannelChoice = {}): Promise<Reply> {
			return replyTo(page.typeCommand(await commandRequest(command, values, channelChoice)));
		},
		async autocomplete(
			command: string,
			values: OptionValues,
			focused: string,
			channelChoice: ChannelChoice = {},
		): Promise<readonly APIApplicationCommandOptionChoice[]> {
			const request = { ...(await commandRequest(command, values, channelChoice)), focused };
			return (await page.autocomplete(request)).choices;
		},
		/** Uses a context menu command of a message or a user. */
		async context(command: string, target: ContextTarget, channelChoice: ChannelChoice = {}): Promise<Reply> {
			const isMessage = "channel_id" in target;
			const channelId = isMessage ? target.channel_id : await channelNamed(channelChoice.channel);
			const used = { kind: isMessage ? "message" : "user", id: isMessage ? target.id : target.user.id } as const;
			return replyTo(page.useContextMenu({ channelId, command, target: used }));
		},
		/**
		 * Presses a button, or selects `values` in a menu, found by custom id, label or placeholder. The label of a menu's option
		 * selects that option.
		 */
		async press(
			message: Pick<APIMessage, "id" | "channel_id" | "components">,
			control: ControlName,
			values?: readonly string[],
		): Promise<Reply> {
			const used = "customId" in control ? control : controlNamed(message, control.label);
			const target = { channelId: message.channel_id, messageId: message.id };
			return replyTo(page.press({ ...target, ...used, ...(values && { values }) }));
		},
		/** Submits a modal. Fields by custom id: text, a checkbox state, or selected values. */
		submit({ interactionId }: Pick<PageModal, "interactionId">, fields: FieldValues = {}): Promise<Reply> {
			const fieldList = Object.entries(fields).map(([customId, value]) =>
				typeof value === "object" ? { customId, values: value } : { customId, value },
			);
			return replyTo(page.submit({ interactionId, fields: fieldList }));
		},
		/** Resolves to the attachment's id, for the value of an option. */
		upload: uploadFile,
		/** Sets the permissions of a command, as an admin does under Integrations. */
		permit: (
			command: string,
			permissions: BodyOf<"setCommandPermissions">["permissions"],
			{ type = 1 }: Partial<Pick<BodyOf<"setCommandPermissions">, "type">> = {},
		): Promise<void> => page.setCommandPermissions({ command, type, permissions }),
		/** Removes the bot from the guild, or adds it. */
		setBotInstalled: (isInstalled: boolean): Promise<void> => page.setBotInstalled({ isInstalled }),
		state: (): Promise<PageState> => page.state(),
		messages: async (): Promise<readonly APIMessage[]> => (await page.state()).messages,
		async download(
			{ url }: Pick<APIAttachment, "url">,
			range?: { readonly start: number; readonly end: number },
		): Promise<Buffer> {
			const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
			const response = await fetch(url, { headers, signal });
			if (!response.ok) throw new Error(`file download failed: ${response.status}`);
			return Buffer.from(await response.arrayBuffer());
		},
		async close(): Promise<void> {
			closed.abort(new Error("the user client was closed"));
			await watching;
		},
	};
}

/** Finds the button or menu with this label or placeholder, or the menu with this option. */
function controlNamed(
	message: Pick<APIMessage, "components">,
	label: string,
): Pick<BodyOf<"press">, "customId" | "values"> {
	const controls = interactiveComponents(message.components);
	const found = controls.find((control) => control["label"] === label || control["placeholder"] === label);
	if (found) return { customId: found.custom_id };
	for (const menu of controls)
		for (const option of optionsOf(menu))
			if (option.label === label) return { customId: menu.custom_id, values: [option.value] };
	const labels = controls.flatMap((control) => control["label"] ?? control["placeholder"] ?? []).map(String);
	throw new Error(`this message has no "${label}"; it has: ${labels.join(", ") || "nothing to press"}`);
}

/** The labels of all buttons and menu options, in reading order. */
export function labelsOf({ components }: Pick<APIMessage, "components">): readonly string[] {
	return interactiveComponents(components).flatMap((control) =>
		typeof control["label"] === "string" ? [control["label"]] : optionsOf(control).map(({ label }) => label),
	);
}
