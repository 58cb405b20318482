/** One message: its author, text, embeds, files and components. */
import type { APIMessage } from "discord-api-types/v10";
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useApp, useSnapshot } from "./app-context.ts";
import { targetOf } from "./app.ts";
import { Attachments } from "./attachments.tsx";
import { Avatar } from "./avatar.tsx";
import { type MenuItem, useContextMenu } from "./menu.tsx";
import type { TypedOption } from "./command-text.ts";
import type { PageMember } from "./contract.ts";
import { COMMAND, MESSAGE, MESSAGE_FLAG, PERMISSION } from "./discord-constants.ts";
import { nameInGuild } from "./display-names.ts";
import { Embed } from "./embed.tsx";
import { useFocusOnSameButton } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { MarkdownText, Pings } from "./markdown-text.tsx";
import { Components } from "./message-components.tsx";
import { Poll } from "./poll.tsx";
import { reactionItems, Reactions } from "./reactions.tsx";
import { hasFlag, isPollResult, isThinking, plainText, pollResultText } from "./message-text.ts";
import { canStartThread, type Invocation, type Row, type RowOf } from "./state.ts";
import { messageTimeText, snowflakeTimeMs, timestampText } from "./time.ts";
import { MessageTime, useTimeFormat } from "./time-text.tsx";

/** Messages of one author closer together than this share one head. */
const GROUP_MS = 7 * 60_000;
const QUOTE_CHARS_MAX = 200;
const THREAD_NAME_CHARS_MAX = 40;

export function Message({ row, isGrouped }: { row: RowOf<"message">; isGrouped: boolean }) {
	const { message, invocation } = row;
	const { state, api, runAndReport, composer, openChannel, copy, invokeContextCommand } = useApp();
	const snapshot = useSnapshot();
	const { members, me } = snapshot;
	const isEphemeral = hasFlag(message, MESSAGE_FLAG.ephemeral);
	const name = nameInGuild(members, message.author);
	const atMs = Date.parse(message.timestamp);
	const timeFormat = useTimeFormat();
	const target = targetOf(message);
	const repliedTo = repliedToId(message);
	function startThread(): void {
		const threadName = plainText(message, snapshot, timeFormat).slice(0, THREAD_NAME_CHARS_MAX) || "New thread";
		const started = api.startThread({ ...target, name: threadName });
		runAndReport(started.then(({ threadId }) => openChannel(threadId)));
	}
	const commands = state.commands.value.filter(({ type }) => type === COMMAND.message && !isThinking(message));
	const isPublic = !isEphemeral && !isThinking(message);
	const isOwn = message.author.id === me.user.id;
	const mayDelete = isOwn || (managesMessages(me) && !isEphemeral);
	const items: readonly (MenuItem | false)[] = [
		isPublic && { name: "Reply", icon: "reply", run: () => composer.startReply(message) },
		...(isPublic ? reactionItems((emoji) => runAndReport(api.react({ ...target, emoji }))) : []),
		isPublic &&
			canStartThread(message, snapshot.channels) && { name: "Start thread", icon: "thread", run: startThread },
		isOwn && !message.poll && { name: "Edit message", icon: "edit", run: () => (state.edited.value = message) },
		mayDelete && { name: "Delete message", icon: "remove", run: () => runAndReport(api.deleteMessage(target)) },
		...commands.map((command) => ({
			name: command.name,
			run: () => invokeContextCommand(command.name, { kind: "message", id: message.id }, message.channel_id),
		})),
		{ name: "Copy Message ID", icon: "clip", run: () => copy(message.id) },
	];
	const isReplyTarget = useComputed(() => composer.replyTarget.value?.id === message.id || undefined);
	const body = useFocusOnSameButton();
	const menu = useContextMenu(
		"Actions for this message",
		items.filter((item) => item !== false),
	);
	return (
		<li
			class="message"
			aria-label={`${name}, ${messageTimeText(atMs, timeFormat)}`}
			data-id={message.id}
			data-grouped={isGrouped || undefined}
			data-ephemeral={isEphemeral || undefined}
			data-ping={pingsMember(message, me) ? "" : undefined}
			data-target={isReplyTarget.value}
			{...menu.handlers}
		>
			{isCommandReply(message) ? (
				<CommandReplyHeader message={message} invocation={invocation} />
			) : (
				repliedTo !== undefined && <QuoteHeader messageId={repliedTo} />
			)}
			{!isGrouped && <Avatar user={message.author} name={name} />}
			{!isGrouped && <AuthorLine name={name} isBot={message.author.bot === true} atMs={atMs} />}
			<div ref={body} class="message-body">
				{isThinking(message) ? (
					<p class="thinking" aria-live="off">
						{name} is thinking…
					</p>
				) : (
					<Body row={row} />
				)}
				<Reactions message={message} />
				<ThreadLink messageId={message.id} />
				{isEphemeral && <OnlyYou onDismiss={() => state.dismiss(message.id)} />}
			</div>
			{menu.button}
		</li>
	);
}

/** Opens the thread that started from the message: both have the same id. */
function ThreadLink({ messageId }: { messageId: string }) {
	const { openChannel } = useApp();
	const thread = useSnapshot().channels.find(({ id, parentId }) => id === messageId && parentId !== undefined);
	if (!thread) return null;
	return (
		<button type="button" class="button small thread-link" onClick={() => openChannel(thread.id)}>
			<Icon name="thread" />
			<span class="ellipsis">{thread.name}</span>
		</button>
	);
}

function Body({ row: { message, busyControl, pressFailure } }: { row: RowOf<"message"> }) {
	const app = useApp();
	const { content, edited_timestamp: edited, embeds, attachments, components = [] } = message;
	const pings = pingedIds(message);
	const timeFormat = useTimeFormat();
	const editedMark = edited && (
		<>
			{" "}
			<span class="edited" title={timestampText(Date.parse(edited) / 1000, "F", timeFormat)}>
				(edited)
			</span>
		</>
	);
	return (
		<>
			<Pings.Provider value={pings}>
				<MarkdownText text={content}>{content !== "" && editedMark}</MarkdownText>
			</Pings.Provider>
			{message.poll && <Poll message={message} poll={message.poll} />}
			{embeds.map((embed, at) =>
				isPollResult(embed) ? (
					<p key={at} class="note">
						{pollResultText(embed)}
					</p>
				) : (
					<Embed key={at} embed={embed} />
				),
			)}
			{/* Components v2 show a file only where they name it. */}
			{attachments.length > 0 && !hasFlag(message, MESSAGE_FLAG.componentsV2) && (
				<Attachments attachments={attachments} />
			)}
			<Pings.Provider value={pings}>
				<Components
					components={components}
					context={{
						busyControl,
						version: message.edited_timestamp ?? "",
						onPress: (customId, values) => app.press(message, customId, values),
					}}
				/>
			</Pings.Provider>
			{content === "" && editedMark && <p>{editedMark}</p>}
			<p class="row failure" role="alert" hidden={!pressFailure}>
				{pressFailure && (
					<>
						<Icon name="alert" />
						<span>{pressFailure}</span>
					</>
				)}
			</p>
		</>
	);
}

function CommandReplyHeader({ message, invocation }: { message: APIMessage; invocation: Invocation | null }) {
	const { members } = useSnapshot();
	const user = message.interaction_metadata?.user;
	return (
		<CommandHeader
			user={user === undefined ? "Somebody" : nameInGuild(members, user)}
			command={invocation?.command ?? message.interaction?.name ?? "a command"}
			isContextCommand={message.type === MESSAGE.contextMenuCommand}
			options={invocation?.options ?? []}
		/>
	);
}

/** The line above a reply to a message: whose message, and how it begins. A click goes there. */
function QuoteHeader({ messageId }: { messageId: string }) {
	const { state } = useApp();
	const snapshot = useSnapshot();
	const timeFormat = useTimeFormat();
	const quoted = state.messages.value.find(({ id }) => id === messageId);
	if (!quoted) return <div class="command-head">The message could not be loaded</div>;
	return (
		<div class="command-head">
			<b>{nameInGuild(snapshot.members, quoted.author)}</b>
			<button
				type="button"
				class="quote ellipsis"
				title="Go to this message"
				onClick={() => (state.revealed.value = { id: quoted.id, isMarked: true })}
			>
				<bdi>{plainText(quoted, snapshot, timeFormat).slice(0, QUOTE_CHARS_MAX) || "Click to see the message"}</bdi>
			</button>
		</div>
	);
}

interface CommandHeaderProps {
	readonly user: string;
	readonly command: string;
	readonly isContextCommand: boolean;
	readonly options: readonly TypedOption[];
}

/** The line above a reply: which command it answers, and its options. */
export function CommandHeader({ user, command, isContextCommand, options }: CommandHeaderProps) {
	const isExpanded = useSignal(false);
	const { commands } = useApp();
	const commandLabel = commands.value.find(({ path }) => path === command)?.label ?? command;
	return (
		<div class="command-head">
			<b>{user}</b> used <span class="command-chip">{isContextCommand ? command : `/${commandLabel}`}</span>
			{options.length > 0 && (
				<button
					type="button"
					class="command-options"
					aria-expanded={isExpanded.value}
					title="Show every option"
					onClick={() => (isExpanded.value = !isExpanded.value)}
				>
					{options.map(({ name, text }) => (
						<span key={name} class="used-option">
							<b>{name}:</b> <bdi>{text}</bdi>
						</span>
					))}
				</button>
			)}
		</div>
	);
}

export function AuthorLine({ name, isBot, atMs }: { name: string; isBot: boolean; atMs: number }) {
	return (
		<div class="author-line">
			<span class="author" data-bot={isBot || undefined}>
				{name}
			</span>
			{isBot && <span class="tag">Bot</span>}
			<MessageTime atMs={atMs} />
		</div>
	);
}

export function OnlyYou({ onDismiss, children }: { onDismiss: () => void; children?: ComponentChildren }) {
	return (
		<p class="row only-you">
			<Icon name="eye" />
			<span>Only you can see this</span>
			{children}
			<button type="button" class="text-button" onClick={onDismiss}>
				Dismiss
			</button>
		</p>
	);
}

/** Returns whether a message continues the group of the row before. Every reply starts a group of its own. */
export function continuesGroup(row: Row, before: Row | undefined): boolean {
	if (row.kind !== "message" || before?.kind !== "message" || hasHeader(row.message)) return false;
	const [one, other] = [row.message, before.message];
	return (
		one.author.id === other.author.id &&
		// Each message of a webhook can have another name.
		one.author.username === other.author.username &&
		snowflakeTimeMs(one.id) - snowflakeTimeMs(other.id) < GROUP_MS &&
		hasFlag(one, MESSAGE_FLAG.ephemeral) === hasFlag(other, MESSAGE_FLAG.ephemeral) &&
		one.interaction_metadata?.id === other.interaction_metadata?.id
	);
}

function managesMessages({ isAdmin, permissions }: PageMember): boolean {
	return isAdmin || (BigInt(permissions) & PERMISSION.manageMessages) !== 0n;
}

function isCommandReply({ type }: APIMessage): boolean {
	return type === MESSAGE.command || type === MESSAGE.contextMenuCommand;
}

function repliedToId(message: APIMessage): string | undefined {
	const isReply = message.type === MESSAGE.reply || message.type === MESSAGE.pollResult;
	return isReply ? message.message_reference?.message_id : undefined;
}

function hasHeader(message: APIMessage): boolean {
	return isCommandReply(message) || repliedToId(message) !== undefined;
}

/** The users and roles that a message pings, and the ids of mentions of everyone. */
function pingedIds({ mentions, mention_roles: roleIds, mention_everyone: isForAll }: APIMessage): ReadonlySet<string> {
	return new Set([...mentions.map(({ id }) => id), ...roleIds, ...(isForAll ? ["everyone", "here"] : [])]);
}

function pingsMember(message: APIMessage, member: PageMember): boolean {
	const ids = pingedIds(message);
	return message.mention_everyone || ids.has(member.user.id) || member.roleIds.some((id) => ids.has(id));
}
