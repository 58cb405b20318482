/** The bar above the conversation: the channel, and the buttons of the drawers. */
import type { ComponentProps } from "preact";
import { useApp } from "./app-context.ts";
import type { Drawer } from "./app.ts";
import { channelIcon } from "./channel-list.tsx";
import { Icon, IconButton } from "./icon.tsx";

export function ChannelHeader() {
	const channel = useApp().state.channel.value;
	return (
		<header class="row topbar">
			<DrawerButton drawer="channels" icon="menu" label="Channels" class="narrow-only" />
			{channel && <Icon name={channelIcon(channel)} class="channel-icon" />}
			<h1 class="ellipsis">{channel?.name}</h1>
			<p class="ellipsis">{channel?.topic}</p>
			<DrawerButton drawer="admin" icon="admin" label="Admin panel" title="Clock, faults, permissions" />
			<DrawerButton drawer="requests" icon="requests" label="Requests" title="Requests and events of the bot" />
			<DrawerButton drawer="members" icon="members" label="Members" />
		</header>
	);
}

function DrawerButton({ drawer, ...button }: ComponentProps<typeof IconButton> & { drawer: Drawer }) {
	const app = useApp();
	return (
		<IconButton
			{...button}
			data-toggle={drawer}
			aria-expanded={app.drawer.value === drawer}
			onClick={() => app.toggleDrawer(drawer)}
		/>
	);
}
