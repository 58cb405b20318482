/** The bot and the members of the open guild, each with its context menu. */
import type { ComponentChildren } from "preact";
import { useApp, useSnapshot } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { type MenuItem, useContextMenu } from "./menu.tsx";
import type { PageMember } from "./contract.ts";
import { COMMAND, PERMISSION } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";
import { NameAndNote } from "./name-and-note.tsx";
import { useTimeoutText } from "./time-text.tsx";
import { aboutMember } from "./user-menu.tsx";

export function MemberList() {
	const { state, api, runAndReport } = useApp();
	const { members, bot } = useSnapshot();
	const mayManageBot = useMayManageBot();
	const botName = userName(bot.user);
	const hasBot = state.hasBot.value;
	return (
		<aside class="side members" aria-label="Members" tabIndex={-1} data-drawer>
			<h2 class="side-label">Applications: {hasBot ? 1 : 0}</h2>
			{hasBot ? (
				<ul aria-label="Applications">
					<BotRow />
				</ul>
			) : (
				<div class="member-gone">
					<p class="note">{botName} is not in this server.</p>
					{mayManageBot && (
						<button
							type="button"
							class="button small"
							onClick={() => runAndReport(api.setBotInstalled({ isInstalled: true }))}
						>
							Add {botName}
						</button>
					)}
				</div>
			)}
			<h2 class="side-label">Members: {members.length}</h2>
			<ul aria-label="Members">
				{members.map((member) => (
					<MemberRow key={member.user.id} member={member} />
				))}
			</ul>
		</aside>
	);
}

/** Returns whether this user may remove the bot from the server, or add it. */
function useMayManageBot(): boolean {
	return (BigInt(useSnapshot().me.permissions) & PERMISSION.manageServer) !== 0n;
}

function BotRow() {
	const { api, openChannel, runAndReport } = useApp();
	const { bot } = useSnapshot();
	const message: MenuItem = {
		name: "Message",
		icon: "at",
		run: () => runAndReport(api.openDirect({}).then(({ channelId }) => openChannel(channelId))),
	};
	const remove: MenuItem = {
		name: "Remove from this server",
		icon: "remove",
		run: () => runAndReport(api.setBotInstalled({ isInstalled: false })),
	};
	const items = [message, ...useUserItems(bot.user.id)];
	return (
		<MemberEntry
			name={userName(bot.user)}
			items={useMayManageBot() ? [...items, remove] : items}
			avatar={<Avatar user={bot.user} name={userName(bot.user)} presence={bot.online ? "online" : "offline"} />}
			note={bot.online ? "Online" : "Offline"}
		>
			<span class="tag">Bot</span>
		</MemberEntry>
	);
}

function MemberRow({ member }: { member: PageMember }) {
	const snapshot = useSnapshot();
	const name = memberName(member);
	return (
		<MemberEntry
			name={name}
			items={useUserItems(member.user.id)}
			avatar={<Avatar user={member.user} name={name} presence="online" />}
			note={useTimeoutText(member) ?? aboutMember(member, snapshot)}
		>
			{member.user.id === snapshot.me.user.id && <span class="member-you">(you)</span>}
		</MemberEntry>
	);
}

interface MemberEntryProps {
	readonly name: string;
	readonly note: string;
	readonly items: readonly MenuItem[];
	readonly avatar: ComponentChildren;
	readonly children: ComponentChildren;
}

function MemberEntry({ name, note, items, avatar, children }: MemberEntryProps) {
	const menu = useContextMenu(`Actions for ${name}`, items);
	return (
		<li class="row member" {...menu.handlers}>
			{avatar}
			<NameAndNote note={note}>
				{name} {children}
			</NameAndNote>
			{menu.button}
		</li>
	);
}

/** The commands of the bot for a user, and the user's id. */
function useUserItems(userId: string): MenuItem[] {
	const { state, copy, invokeContextCommand } = useApp();
	const commandItems = state.commands.value
		.filter(({ type }) => type === COMMAND.user)
		.map(({ name }) => ({
			name,
			run: () => invokeContextCommand(name, { kind: "user", id: userId }, state.channelId.value ?? ""),
		}));
	return [...commandItems, { name: "Copy User ID", icon: "clip", run: () => copy(userId) }];
}
