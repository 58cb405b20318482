/** The guilds of the user, one below the other: which is open, and which have unread messages. */
import { useApp, useSnapshot } from "./app-context.ts";
import type { PageGuild } from "./contract.ts";
import { hueOf, initials, userName } from "./display-names.ts";

export function GuildList() {
	const { guilds, hiddenGuildCount } = useSnapshot();
	const more = hiddenGuildCount.toLocaleString();
	return (
		<div class="guild-list">
			<ul class="servers" aria-label="Servers">
				{guilds.map((guild) => (
					<li key={guild.id}>
						<GuildButton guild={guild} />
					</li>
				))}
			</ul>
			{hiddenGuildCount > 0 && (
				<p class="note" title={`${more} more servers`}>
					<span class="sr-only">More servers: </span>+{more}
				</p>
			)}
		</div>
	);
}

function GuildButton({ guild: { id, name, channelIds, hasBot } }: { guild: PageGuild }) {
	const { state, openGuild } = useApp();
	const { guild, bot } = useSnapshot();
	const isOpen = id === guild.id;
	const isUnread = !isOpen && channelIds.some((channelId) => state.unread.value.has(channelId));
	return (
		<button
			type="button"
			class="server"
			aria-current={isOpen ? "page" : undefined}
			data-unread={isUnread || undefined}
			data-without-bot={!hasBot || undefined}
			title={name}
			style={{ "--hue": String(hueOf(id)) }}
			onClick={() => openGuild(id)}
		>
			<span aria-hidden="true">{initials(name)}</span>
			<span class="sr-only">
				{name}
				{isUnread && ", unread messages"}
				{!hasBot && `, without ${userName(bot.user)}`}
			</span>
		</button>
	);
}
