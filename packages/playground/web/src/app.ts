/** Creates the app: the state, the connection, the composer, and the actions of the user. */
import { batch, computed, effect, signal } from "@preact/signals";
import type { APIAttachment, APIMessage } from "discord-api-types/v10";
import { createApi, errorText } from "./api.ts";
import { typeableCommands, type TypedOption } from "./command-text.ts";
import { createComposer } from "./composer-state.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { BodyOf, CommandOptionInput, FieldInput, MessageTarget } from "./contract.ts";
import { channelLabel } from "./display-names.ts";
import type { DiscordTarget } from "./safe-urls.ts";
import { createState } from "./state.ts";

/** From this width on, the members stand beside the conversation. The style sheet has the same number. */
const WIDE = "(min-width: 1100px)";
/** From this width on, the channels stand beside the conversation, also in the style sheet. */
const HAS_CHANNELS = "(min-width: 760px)";
const TOAST_MS = 6_000;

/** The open side column: beside the conversation on a wide page, over it on a narrow one. Empty for none. */
export type Drawer = "" | "channels" | "members" | "admin" | "requests";
export type App = ReturnType<typeof createApp>;

export function createApp() {
	const state = createState();
	const api = createApi({ user: () => addressParam("user"), guild: () => addressParam("guild") });

	const drawer = signal<Drawer>(isWide() ? "members" : "");
	/** The message of the playground when it rejects this user; empty otherwise. */
	const refusal = signal("");
	const viewer = signal<{ readonly images: readonly APIAttachment[]; readonly at: number } | null>(null);
	/** The result of an action that no other part of the page can show. */
	const toast = signal<{ readonly text: string; readonly icon: "alert" | "check" } | null>(null);

	const commands = computed(() => typeableCommands(state.commands.value, state.snapshot.value?.me.locale));
	const composer = createComposer({
		commands,
		directory: computed(() => state.snapshot.value ?? { members: [], channels: [], roles: [] }),
		send: sendCommand,
		sendText: async (content, replyTarget) => {
			const replyTo = replyTarget && { replyTo: replyTarget.id };
			await api.say({ channelId: openChannelId(), content, files: [], ...replyTo });
		},
		autocomplete: async (command, options, focused, abortSignal) =>
			(await api.autocomplete({ channelId: openChannelId(), command, options, focused }, abortSignal)).choices,
		upload: (file) => api.upload(file, file.name),
	});

	/** The last open channel of each guild. */
	const lastChannels = new Map<string, string>();
	/** The user hid the members beside the conversation. */
	let areMembersHidden = false;
	let connection: Connection | null = null;
	/** The user and the guild that the address named at the last connection. */
	let connectedTo: { readonly user: string | null; readonly guild: string | null } = { user: null, guild: null };
	let toastTimer: ReturnType<typeof setTimeout> | undefined;

	matchMedia(WIDE).addEventListener("change", () => (drawer.value = usualDrawer()));
	matchMedia(HAS_CHANNELS).addEventListener("change", () => {
		if (drawer.value === "channels") drawer.value = usualDrawer();
	});
	window.addEventListener("popstate", () => {
		if (addressParam("user") !== connectedTo.user) connectAnew();
		else if (addressParam("guild") !== connectedTo.guild) connect();
	});
	effect(() => {
		const [messages, channelId] = [state.messages.value, state.channelId.value];
		const target = composer.replyTarget.peek();
		if (!target) return;
		const isShown = target.channel_id === channelId && messages.some(({ id }) => id === target.id);
		if (!isShown) composer.cancelReply();
	});
	effect(() => {
		const [snapshot, channel] = [state.snapshot.value, state.channel.value];
		if (snapshot && channel) document.title = `${channelLabel(channel)} · ${snapshot.guild.name}`;
	});

	function connect(): void {
		connection?.close();
		connectedTo = { user: addressParam("user"), guild: addressParam("guild") };
		connection = openConnection({
			eventsAddress: api.eventsAddress,
			fetchState: api.state,
			onSnapshot(snapshot, isRefresh) {
				const guildBefore = state.snapshot.value?.guild.id ?? snapshot.guild.id;
				const channelToKeep = guildBefore === snapshot.guild.id ? state.channelId.value : null;
				batch(() => {
					state.channelId.value = addressParam("channel") ?? channelToKeep;
					state.applySnapshot(snapshot, isRefresh);
				});
				refusal.value = "";
				correctAddress();
			},
			onEvent(event) {
				state.applyEvent(event);
				if (event.type === "page") correctAddress();
			},
			onRefusal: (message) => (refusal.value = message),
			onStatus: (status) => (state.isDisconnected.value = status === "lost"),
		});
	}

	/** The address may name a guild that the user is not in, or a channel that was deleted. */
	function correctAddress(): void {
		const open = { guild: state.snapshot.value?.guild.id ?? null, channel: state.channelId.value };
		const named = { guild: addressParam("guild"), channel: addressParam("channel") };
		if (named.guild !== null && named.guild !== open.guild) {
			connectedTo = { ...connectedTo, guild: open.guild };
			writeAddress({ guild: open.guild }, "replaceState");
		}
		if (named.channel !== null && named.channel !== open.channel)
			writeAddress({ channel: open.channel }, "replaceState");
	}

	/** Connects for an address that may name another user. */
	function connectAnew(): void {
		state.reset();
		composer.changeUser();
		connect();
	}

	function openChannelId(): string {
		return state.channelId.value ?? "";
	}

	async function sendCommand(
		command: string,
		options: readonly CommandOptionInput[],
		optionTexts: readonly TypedOption[],
	): Promise<void> {
		const channelId = openChannelId();
		const { interactionId } = await api.typeCommand({ channelId, command, options });
		state.addInvocation({ interactionId, channelId, command, options: optionTexts });
	}

	function showToast(text: string, icon: "alert" | "check" = "alert"): void {
		toast.value = { text, icon };
		clearTimeout(toastTimer);
		toastTimer = setTimeout(() => (toast.value = null), TOAST_MS);
	}

	/** Reports the failure of a request that nothing waits for. */
	function runAndReport(request: Promise<unknown>): void {
		request.catch((error) => showToast(errorText(error)));
	}

	function copy(text: string): void {
		if (!isSecureContext) return showToast("Copying needs HTTPS or localhost.");
		runAndReport(navigator.clipboard.writeText(text).then(() => showToast("Copied", "check")));
	}

	/** On a wide page, the members are beside the conversation unless a panel is open or the user hides them. */
	function usualDrawer(): Drawer {
		return isWide() && !areMembersHidden ? "members" : "";
	}

	function toggleDrawer(name: Drawer): void {
		const isOpen = drawer.value === name;
		if (name === "members" && isWide()) areMembersHidden = isOpen;
		drawer.value = isOpen ? usualDrawer() : name;
	}

	/** Closes a panel, or on a narrow page any drawer, and returns the focus to its button. */
	function closeDrawer(): void {
		if (drawer.value === "" || drawer.value === usualDrawer()) return;
		const button = document.querySelector<HTMLElement>(`[data-toggle=${drawer.value}]`);
		drawer.value = usualDrawer();
		// Inert elements cannot have the focus: wait for the render.
		setTimeout(() => button?.focus());
	}

	/** The drawer lies over the rest of the page. */
	function isCovering(): boolean {
		return drawer.value !== "" && !isWide();
	}

	/** Makes the conversation visible. */
	function uncoverConversation(): void {
		if (!isWide()) drawer.value = "";
	}

	function openChannel(channelId: string): void {
		writeAddress({ channel: channelId }, "replaceState");
		uncoverConversation();
		state.openChannel(channelId);
	}

	/** The drawer stays open: on a narrow page, users choose a guild first and then a channel. */
	function openGuild(guildId: string, channelId = lastChannels.get(guildId) ?? null): void {
		const guild = state.snapshot.value?.guild;
		if (!guild || guild.id === guildId) return;
		if (state.channelId.value !== null) lastChannels.set(guild.id, state.channelId.value);
		writeAddress({ guild: guildId, channel: channelId }, "pushState");
		connect();
	}

	/** Goes to the channel or the message of a link, also in another guild. */
	function openMessage({ guildId, channelId, messageId }: DiscordTarget): void {
		const snapshot = state.snapshot.value;
		const guild = snapshot?.guilds.find(({ id }) => id === guildId);
		if (snapshot?.channels.some(({ id }) => id === channelId)) {
			if (channelId !== state.channelId.value) openChannel(channelId);
		} else if (guild?.channelIds.includes(channelId)) openGuild(guildId, channelId);
		else return showToast("This channel does not exist, or you may not see it.");
		if (messageId !== null) state.revealed.value = { id: messageId, isMarked: true };
	}

	function becomeUser(userId: string): void {
		writeAddress({ user: userId }, "pushState");
		connectAnew();
	}

	/** `values`: the choices of a menu; null for a button. */
	function press(message: APIMessage, customId: string, values: readonly string[] | null): void {
		const sent = api.press({ ...targetOf(message), customId, ...(values && { values }) });
		runAndReport(state.addPress(message, customId, sent));
	}

	function invokeContextCommand(command: string, target: BodyOf<"useContextMenu">["target"], channelId: string): void {
		uncoverConversation();
		const sent = api.useContextMenu({ channelId, command, target });
		const invocation = { channelId, command, options: [], isContextCommand: true };
		runAndReport(sent.then(({ interactionId }) => state.addInvocation({ ...invocation, interactionId })));
	}

	/** Resolves when the bot has answered. */
	async function submitModal(interactionId: string, fields: readonly FieldInput[]): Promise<void> {
		const sent = await api.submit({ interactionId, fields });
		const failure = await state.awaitOutcome(sent.interactionId);
		if (failure !== null) throw new Error(failure);
	}

	return {
		state,
		api,
		composer,
		commands,
		drawer,
		refusal,
		viewer,
		toast,
		connect,
		toggleDrawer,
		closeDrawer,
		isCovering,
		openChannel,
		openGuild,
		openMessage,
		becomeUser,
		showToast,
		runAndReport,
		copy,
		press,
		invokeContextCommand,
		submitModal,
	};
}

/** Returns the ids by which requests name a message. */
export function targetOf({ id: messageId, channel_id: channelId }: APIMessage): MessageTarget {
	return { channelId, messageId };
}

function isWide(): boolean {
	return matchMedia(WIDE).matches;
}

function addressParam(name: "user" | "guild" | "channel"): string | null {
	return new URLSearchParams(location.search).get(name);
}

function writeAddress(values: Record<string, string | null>, method: "pushState" | "replaceState"): void {
	const url = new URL(location.href);
	for (const [name, value] of Object.entries(values)) {
		if (value === null) url.searchParams.delete(name);
		else url.searchParams.set(name, value);
	}
	history[method](null, "", url);
}
