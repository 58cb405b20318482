/** The layout of the page: guilds and channels, the conversation, and the members or a panel. */
import { useEffect, useLayoutEffect } from "preact/hooks";
import { AdminPanel } from "./admin-panel.tsx";
import { useApp, useSnapshot } from "./app-context.ts";
import type { App } from "./app.ts";
import { ChannelHeader } from "./channel-header.tsx";
import { ChannelList } from "./channel-list.tsx";
import { ChannelView } from "./channel-view.tsx";
import { Composer } from "./composer.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { GuildList } from "./guild-list.tsx";
import { userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { MediaViewer } from "./media-viewer.tsx";
import { MemberList } from "./member-list.tsx";
import { Modal } from "./form-dialog.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { UserMenu } from "./user-menu.tsx";

/** Elements that take typed text themselves. */
const OWN_TEXT = "input, textarea, select, dialog, video, audio, [popover]";

export function Layout() {
	const app = useApp();
	const { state, drawer, viewer, toast } = app;
	const snapshot = state.snapshot.value;
	const isReady = snapshot !== null;
	const isCovered = app.isCovering();
	const isCoveredByPanel = isCovered && drawer.value !== "channels";

	useLayoutEffect(() => {
		if (isCovered) document.querySelector<HTMLElement>("[data-drawer]")?.focus();
	}, [drawer.value]);
	useEffect(() => {
		if (isReady && matchMedia("(pointer: fine)").matches) app.composer.focus();
	}, [isReady]);
	useEffect(() => {
		const onKey = (event: KeyboardEvent): void => {
			const hasOverlay = event.defaultPrevented || document.querySelector(":popover-open, :modal") !== null;
			if (event.key === "Escape" && !hasOverlay) app.closeDrawer();
			// Typing anywhere types into the composer.
			const isOwn = event.target instanceof Element && event.target.closest(OWN_TEXT);
			const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
			if (!isOwn && isText) app.composer.focus();
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);

	if (!snapshot) return app.refusal.value === "" ? <ConnectionBanner /> : <Refusal />;
	return (
		<>
			<a class="skip" href="#composer-input">
				Skip to the composer
			</a>
			<nav
				class="servers-and-channels"
				aria-label="Servers and channels"
				tabIndex={-1}
				data-drawer={drawer.value === "channels" || undefined}
				inert={isCoveredByPanel}
			>
				<GuildList />
				<div class="channel-pane">
					<div class="row pane-head">
						<h2 class="ellipsis">{snapshot.guild.name}</h2>
					</div>
					<ChannelList />
					<div class="note notice">
						<p>A local playground to try the bot in. It stands in for Discord and is not made by it.</p>
						{snapshot.notice !== undefined && <p>{snapshot.notice}</p>}
					</div>
					<UserMenu />
				</div>
			</nav>
			<Conversation isCovered={isCovered} />
			{isCovered && <div class="backdrop" onClick={() => app.closeDrawer()} />}
			{drawer.value === "members" && <MemberList />}
			{drawer.value === "admin" && <AdminPanel />}
			{drawer.value === "requests" && <RequestPanel />}
			<Modal />
			<EditDialog />
			{viewer.value && <MediaViewer {...viewer.value} />}
			{toast.value && (
				<p class="row toast" role="alert">
					<Icon name={toast.value.icon} class={toast.value.icon} />
					{toast.value.text}
				</p>
			)}
		</>
	);
}

/** The open channel with the composer. */
function Conversation({ isCovered }: { isCovered: boolean }) {
	const { me, guild, notice } = useSnapshot();
	const channelId = useApp().state.channelId.value;
	useFileDrop();
	return (
		<main inert={isCovered}>
			<ChannelHeader />
			{/* On a narrow page, the list of channels with this text is closed. */}
			{notice !== undefined && <p class="note notice narrow-only">{notice}</p>}
			<ConnectionBanner />
			{/* A new user, guild or channel starts anew at its end. */}
			<ChannelView key={`${me.user.id} ${guild.id} ${channelId}`} />
			<Composer />
		</main>
	);
}

/** Gives files to the composer that are dropped anywhere on the page: a file dropped elsewhere would replace the page. */
function useFileDrop(): void {
	const { composer } = useApp();
	useEffect(() => {
		const listening = new AbortController();
		const onDrag = (event: DragEvent): void => {
			const files = event.dataTransfer;
			const isOwn = event.target instanceof Element && event.target.closest("[type=file]");
			if (isOwn || !files?.types.includes("Files")) return;
			event.preventDefault();
			if (event.type === "drop" && !document.querySelector(":modal")) composer.takeFiles([...files.files]);
		};
		document.addEventListener("dragover", onDrag, listening);
		document.addEventListener("drop", onDrag, listening);
		return () => listening.abort();
	}, []);
}

/** Shown instead of the page to a user who is in no server. */
function Refusal() {
	return (
		<main class="refusal">
			<h1>{useApp().refusal.value}</h1>
			<p>
				<a href={location.pathname}>Write as another user</a>
			</p>
		</main>
	);
}

/** Says that the playground does not answer, or that the bot is offline or not in the open guild. */
function ConnectionBanner() {
	const text = bannerText(useApp());
	return (
		<p class="row banner" role="status" hidden={text === ""}>
			{text !== "" && <Icon name="moon" />}
			{text}
		</p>
	);
}

function bannerText({ state, refusal }: App): string {
	const snapshot = state.snapshot.value;
	if (refusal.value !== "") return refusal.value;
	if (state.isDisconnected.value) return "The playground is not answering. This page keeps trying and will catch up.";
	if (!snapshot) return "";
	const bot = userName(snapshot.bot.user);
	if (!state.hasBot.value) return `${bot} is not in this server, and neither are its commands.`;
	return snapshot.bot.online ? "" : `${bot} is offline. Commands fail until it connects.`;
}
