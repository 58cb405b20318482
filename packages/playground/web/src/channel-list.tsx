/** The channels of the open guild, and direct conversations with the bot. */
import { useApp, useSnapshot } from "./app-context.ts";
import type { PageChannel } from "./contract.ts";
import { CHANNEL } from "./discord-constants.ts";
import { Icon } from "./icon.tsx";

export function ChannelList() {
	const { channels } = useSnapshot();
	const direct = channels.filter(({ type }) => type === CHANNEL.direct);
	return (
		<div class="pane-body">
			<Channels label="Channels" channels={channels.filter(({ type }) => type !== CHANNEL.direct)} />
			{direct.length > 0 && (
				<>
					<h2 class="side-label">Direct messages</h2>
					<Channels label="Direct messages" channels={direct} />
				</>
			)}
		</div>
	);
}

function Channels({ label, channels }: { label: string; channels: readonly PageChannel[] }) {
	return (
		<ul aria-label={label}>
			{channels.map((channel) => (
				<li key={channel.id}>
					<ChannelButton channel={channel} />
				</li>
			))}
		</ul>
	);
}

export function channelIcon({ type, parentId }: PageChannel) {
	if (type === CHANNEL.direct) return "at";
	return parentId === undefined ? "hash" : "thread";
}

function ChannelButton({ channel }: { channel: PageChannel }) {
	const { id, name, isAgeRestricted, parentId } = channel;
	const { state, openChannel } = useApp();
	const isOpen = id === state.channelId.value;
	const isUnread = state.unread.value.has(id);
	return (
		<button
			type="button"
			class="row channel"
			aria-current={isOpen ? "page" : undefined}
			data-unread={isUnread || undefined}
			data-thread={parentId === undefined ? undefined : ""}
			onClick={() => openChannel(id)}
		>
			<Icon name={channelIcon(channel)} />
			<span class="ellipsis">{name}</span>
			{isAgeRestricted && (
				<span class="tag quiet" title="Age-restricted">
					18+
				</span>
			)}
			{isUnread && <span class="sr-only">, unread messages</span>}
		</button>
	);
}
