/** Creates the app: the state, the connection, the composer, and the actions of the user. */
import { batch, computed, effect, signal } from "@preact/signals";
import type { APIAttachment, APIMessage } from "discord-api-types/v10";
import { createApi, errorText } from "./api.ts";
import { typeableCommands } from "./command-text.ts";
import { createComposer } from "./composer-state.ts";
import { openConnection } from "./connection.ts";
import type {
	CommandOptionInput,
	ContextMenuRequest,
	MessageTarget,
	ModalField,
	PageModal,
	PageState,
} from "./contract.ts";
import { createState, type Invocation, restorableInvocations, type ShownOption } from "./state.ts";

/** From this width on, the members stand beside the conversation. The style sheet has the same number. */
const WIDE = "(min-width: 1100px)";
/** A short interruption of the connection shows no banner. */
const BANNER_DELAY_MS = 1_200;
const TOAST_MS = 6_000;
const ANNOUNCEMENTS_MAX = 5;
const OUTCOMES_MAX = 50;

/** The open side panel. Empty for none. */
export type Drawer = "" | "channels" | "members" | "admin" | "requests";
export type App = ReturnType<typeof createApp>;

export function createApp() {
	const state = createState(loadInvocations());
	const api = createApi({ user: () => addressParam("user"), guild: () => addressParam("guild") });

	const drawer = signal<Drawer>("");
	const isWide = signal(matchMedia(WIDE).matches);
	const membersBeside = signal(true);
	const isBannerDue = signal(false);
	/** The message of the playground when it rejects this user; empty otherwise. */
	const refusal = signal("");
	const modal = signal<PageModal | null>(null);
	const viewer = signal<{ readonly images: readonly APIAttachment[]; readonly at: number } | null>(null);
	const toasts = signal<readonly { readonly id: string; readonly text: string }[]>([]);
	/** The texts that screen readers read aloud. */
	const announcements = signal<readonly { readonly id: string; readonly text: string }[]>([]);

	const commands = computed(() => typeableCommands(state.page.value?.commands ?? [], state.page.value?.me.locale));
	const composer = createComposer({
		commands,
		directory: computed(() => state.page.value ?? { members: [], channels: [], roles: [] }),
		send: sendCommand,
		say: async (content, replyTo) => {
			await api.say({ channelId: openChannelId(), content, files: [], ...(replyTo && { replyTo: replyTo.id }) });
		},
		autocomplete: async (command, options, focused, abortSignal) =>
			(await api.autocomplete({ channelId: openChannelId(), command, options, focused }, abortSignal)).choices,
		upload: (file) => api.upload(file, file.name),
	});

	/** The outcome of a submitted modal may arrive before the response that names its interaction. */
	const outcomes = new Map<string, string>();
	const outcomeWaiters = new Map<string, (failure: string) => void>();
	/** The last open channel of each guild. */
	const lastChannels = new Map<string, string>();
	let disconnect: (() => void) | null = null;
	let bannerTimer: ReturnType<typeof setTimeout> | undefined;

	matchMedia(WIDE).addEventListener("change", ({ matches }) => {
		isWide.value = matches;
		drawer.value = "";
	});
	window.addEventListener("popstate", () => {
		state.reset();
		connect();
	});
	effect(() => {
		if (composer.replyTarget.peek()?.channel_id !== state.channelId.value) composer.cancelReply();
	});
	effect(() => storeInvocations(state.invocations.value));
	effect(() => {
		const [page, channel] = [state.page.value, state.channel.value];
		if (page) document.title = `${channel?.isDirect ? "@" : "#"}${channel?.name ?? ""} · ${page.guild.name}`;
	});

	function connect(): void {
		disconnect?.();
		disconnect = openConnection({
			eventsAddress: api.eventsAddress,
			fetchState: api.state,
			onSnapshot(page) {
				const guildBefore = state.page.value?.guild.id ?? page.guild.id;
				const channelToKeep = guildBefore === page.guild.id ? state.channelId.value : null;
				batch(() => {
					state.channelId.value = addressParam("channel") ?? channelToKeep;
					state.applySnapshot(page, Date.now());
				});
				settleOpenModals(page);
				refusal.value = "";
				// The address may name a guild that the user is not in.
				if ((addressParam("guild") ?? page.guild.id) !== page.guild.id)
					writeAddress({ guild: page.guild.id }, "replaceState");
			},
			onEvent(event) {
				state.applyEvent(event);
				if (event.type === "interactionFailed") settleModal(event.interactionId, event.reason);
				if (event.type !== "interactionAnswered") return;
				settleModal(event.interactionId, "");
				if (event.modal) modal.value = event.modal;
			},
			onRefusal: (message) => (refusal.value = message),
			onStatus(status) {
				if (status === state.connection.value) return;
				state.connection.value = status;
				isBannerDue.value = false;
				clearTimeout(bannerTimer);
				if (status === "lost") bannerTimer = setTimeout(() => (isBannerDue.value = true), BANNER_DELAY_MS);
			},
		});
	}

	function openChannelId(): string {
		return state.channelId.value ?? "";
	}

	async function sendCommand(
		command: string,
		options: readonly CommandOptionInput[],
		optionTexts: readonly ShownOption[],
	): Promise<void> {
		const channelId = openChannelId();
		await trackInvocation({ command, channelId, options: optionTexts }, () =>
			api.typeCommand({ channelId, command, options }),
		);
	}

	async function trackInvocation(
		sent: { command: string; channelId: string; options: readonly ShownOption[]; isContextCommand?: boolean },
		request: () => Promise<{ readonly interactionId: string }>,
	): Promise<void> {
		const key = newKey();
		state.addInvocation({ ...sent, key, interactionId: null, settled: false });
		try {
			state.acceptInvocation(key, (await request()).interactionId);
		} catch (error) {
			state.removeInvocation(key);
			throw error;
		}
	}

	/** Settles the modals whose outcome was lost while the page was not connected. */
	function settleOpenModals({ messages }: PageState): void {
		for (const interactionId of outcomeWaiters.keys()) {
			const isAnswered = messages.some(({ interaction_metadata: metadata }) => metadata?.id === interactionId);
			settleModal(interactionId, isAnswered ? "" : "The connection was lost. The bot may have received the form.");
		}
	}

	function settleModal(interactionId: string, failure: string): void {
		outcomes.set(interactionId, failure);
		const [oldest] = outcomes.keys();
		if (outcomes.size > OUTCOMES_MAX && oldest !== undefined) outcomes.delete(oldest);
		outcomeWaiters.get(interactionId)?.(failure);
		outcomeWaiters.delete(interactionId);
	}

	/** Reports a failure that no other part of the page can show. */
	function showToast(text: string): void {
		const toast = { id: newKey(), text };
		toasts.value = [...toasts.value, toast];
		setTimeout(() => (toasts.value = toasts.value.filter((one) => one !== toast)), TOAST_MS);
	}

	/** Reports the failure of a request that nothing waits for. */
	function attempt(request: Promise<unknown>): void {
		request.catch((error) => showToast(errorText(error)));
	}

	function announce(text: string): void {
		if (text !== "") announcements.value = [...announcements.value, { id: newKey(), text }].slice(-ANNOUNCEMENTS_MAX);
	}

	function toggleDrawer(name: Drawer): void {
		if (name === "members" && isWide.value) membersBeside.value = !membersBeside.value;
		else drawer.value = drawer.value === name ? "" : name;
	}

	/** Closes the drawer and returns the focus to its button. */
	function closeDrawer(): void {
		if (drawer.value === "") return;
		document.querySelector<HTMLElement>(`[data-toggle=${drawer.value}]`)?.focus();
		drawer.value = "";
	}

	function openChannel(channelId: string): void {
		writeAddress({ channel: channelId }, "replaceState");
		drawer.value = "";
		state.openChannel(channelId);
	}

	/** The drawer stays open: on a narrow page, users choose a guild first and then a channel. */
	function openGuild(guildId: string): void {
		const guild = state.page.value?.guild;
		if (!guild || guild.id === guildId) return;
		if (state.channelId.value !== null) lastChannels.set(guild.id, state.channelId.value);
		writeAddress({ guild: guildId, channel: lastChannels.get(guildId) ?? null }, "pushState");
		connect();
	}

	function becomeUser(userId: string): void {
		writeAddress({ user: userId }, "pushState");
		state.reset();
		connect();
	}

	/** `values`: the choices of a menu; null for a button. */
	async function press(message: APIMessage, customId: string, values: readonly string[] | null): Promise<void> {
		const key = newKey();
		const pressed = { ...targetOf(message), customId };
		state.addPress({ ...pressed, key, interactionId: null, failure: null });
		try {
			const { interactionId } = await api.press({ ...pressed, ...(values && { values }) });
			state.acceptPress(key, interactionId);
		} catch (error) {
			state.failPress(key, errorText(error));
		}
	}

	function invokeContextCommand(command: string, target: ContextMenuRequest["target"], channelId: string): void {
		drawer.value = "";
		const sent = { command, channelId, options: [], isContextCommand: true };
		attempt(trackInvocation(sent, () => api.useContextMenu({ channelId, command, target })));
	}

	/** Returns why the modal could not be sent; empty when the bot answered. */
	async function submitModal(interactionId: string, fields: readonly ModalField[]): Promise<string> {
		const { interactionId: sentInteractionId } = await api.submit({ interactionId, fields });
		state.revealAnswer(sentInteractionId);
		return (
			outcomes.get(sentInteractionId) ??
			(await new Promise((resolve) => outcomeWaiters.set(sentInteractionId, resolve)))
		);
	}

	return {
		state,
		api,
		composer,
		commands,
		drawer,
		isWide,
		membersBeside,
		isBannerDue,
		refusal,
		modal,
		viewer,
		toasts,
		announcements,
		connect,
		showToast,
		announce,
		toggleDrawer,
		closeDrawer,
		openChannel,
		openGuild,
		becomeUser,
		attempt,
		press,
		invokeContextCommand,
		submitModal,
	};
}

/** Returns the ids by which requests name a message. */
export function targetOf({ id: messageId, channel_id: channelId }: APIMessage): MessageTarget {
	return { channelId, messageId };
}

function newKey(): string {
	return `sent-${crypto.randomUUID?.() ?? performance.now()}`;
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

const INVOCATIONS_KEY = "playground:invocations";

/** Keeps the commands that this tab sent over a reload, so that replies still show what they answer. */
function storeInvocations(invocations: readonly Invocation[]): void {
	try {
		sessionStorage.setItem(INVOCATIONS_KEY, JSON.stringify(restorableInvocations(invocations)));
	} catch {
		// Storage may be full or forbidden: only the line above old replies is lost.
	}
}

function loadInvocations(): readonly Invocation[] {
	try {
		const stored: unknown = JSON.parse(sessionStorage.getItem(INVOCATIONS_KEY) ?? "[]");
		return Array.isArray(stored) ? stored : [];
	} catch {
		return [];
	}
}
