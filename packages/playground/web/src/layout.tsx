/** The layout of the page: guilds and channels, the conversation, and the members or a panel. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { AdminPanel } from "./admin-panel.tsx";
import { useApp } from "./app-context.ts";
import type { App } from "./app.ts";
import { ChannelHeader } from "./channel-header.tsx";
import { ChannelList } from "./channel-list.tsx";
import { ChannelView } from "./channel-view.tsx";
import { Composer } from "./composer.tsx";
import { GuildList } from "./guild-list.tsx";
import { userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { MediaViewer } from "./media-viewer.tsx";
import { MemberList } from "./member-list.tsx";
import { Modal } from "./modal.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { UserMenu } from "./user-menu.tsx";

/** Elements that take typed text themselves. */
const OWN_TEXT = "input, textarea, select, dialog, video, audio, [popover]";

export function Layout() {
	const app = useApp();
	const { state, drawer, viewer, toast } = app;
	const page = state.page.value;
	const isReady = page !== null;

	useSignalEffect(() => {
		document.body.dataset["drawer"] = drawer.value;
	});
	useEffect(() => {
		document.body.classList.toggle("ready", isReady);
		if (isReady && matchMedia("(pointer: fine)").matches) app.composer.focus();
	}, [isReady]);
	useEffect(() => {
		const onKey = (event: KeyboardEvent): void => {
			if (event.key === "Escape") app.closeDrawer();
			// Typing anywhere types into the composer.
			const isOwn = event.target instanceof Element && event.target.closest(OWN_TEXT);
			const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
			if (!isOwn && isText) app.composer.focus();
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);

	if (!page) return app.refusal.value === "" ? <ConnectionBanner /> : <Refusal />;
	return (
		<>
			<a class="skip" href="#composer-input">
				Skip to the composer
			</a>
			<nav class="servers-and-channels" aria-label="Servers and channels">
				<GuildList />
				<div class="channel-pane">
					<div class="row pane-head">
						<h2 class="ellipsis">{page.guild.name}</h2>
					</div>
					<ChannelList />
					<p class="note notice">
						A local playground to try the bot in. It stands in for Discord and is not made by it.
					</p>
					<UserMenu />
				</div>
			</nav>
			<Conversation />
			{drawer.value !== "" && <div class="veil" onClick={() => app.closeDrawer()} />}
			{drawer.value === "members" && <MemberList />}
			{drawer.value === "admin" && <AdminPanel />}
			{drawer.value === "requests" && <RequestPanel />}
			<Modal />
			{viewer.value && <MediaViewer {...viewer.value} />}
			{toast.value !== "" && (
				<p class="row toast" role="alert">
					<Icon name="alert" />
					{toast}
				</p>
			)}
		</>
	);
}

/** The open channel with the composer. Files can be dropped anywhere on it. */
function Conversation() {
	const { composer } = useApp();
	const isDragging = useSignal(false);
	return (
		<main
			onDragOver={(event) => {
				if (!carriesFiles(event)) return;
				event.preventDefault();
				isDragging.value = true;
			}}
			onDragLeave={({ relatedTarget, currentTarget }) => {
				if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) isDragging.value = false;
			}}
			onDrop={(event) => {
				isDragging.value = false;
				if (!carriesFiles(event)) return;
				event.preventDefault();
				composer.takeFiles([...(event.dataTransfer?.files ?? [])]);
			}}
		>
			<ChannelHeader />
			<ConnectionBanner />
			<ChannelView />
			<Composer />
			{isDragging.value && (
				<div class="drop-veil" aria-hidden="true">
					<p>
						<Icon name="clip" class="large" />
						Drop it to use it in your command
					</p>
				</div>
			)}
		</main>
	);
}

function carriesFiles(event: DragEvent): boolean {
	return event.dataTransfer?.types.includes("Files") ?? false;
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
	const page = state.page.value;
	if (refusal.value !== "") return refusal.value;
	if (state.isLost.value) return "The playground is not answering. This page keeps trying and will catch up.";
	if (!page) return "";
	const bot = userName(page.bot.user);
	if (!state.hasBot.value) return `${bot} is not in this server, and neither are its commands.`;
	return page.bot.online ? "" : `${bot} is offline. It continues where it stopped once it is back.`;
}
