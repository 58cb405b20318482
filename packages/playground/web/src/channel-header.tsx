/** The bar above the conversation: the channel, and the buttons of the drawers. */
import { useApp } from "./app-context.ts";
import type { Drawer } from "./app.ts";
import { Icon, type IconName } from "./icon.tsx";

export function ChannelHeader() {
	const channel = useApp().state.channel.value;
	return (
		<header class="topbar">
			<DrawerButton drawer="channels" icon="menu" label="Channels" class="narrow-only" />
			<span class="topbar-hash" aria-hidden="true">
				{channel?.isDirect ? "@" : "#"}
			</span>
			<h1>{channel?.name}</h1>
			<p class="ellipsis">{channel?.topic}</p>
			<DrawerButton drawer="admin" icon="admin" label="Admin panel" title="Clock, faults, permissions, requests" />
			<DrawerButton drawer="members" icon="members" label="Members" />
		</header>
	);
}

interface DrawerButtonProps {
	readonly drawer: Drawer;
	readonly icon: IconName;
	readonly label: string;
	readonly title?: string;
	readonly class?: string;
}

function DrawerButton({ drawer, icon, label, title = label, class: extra = "" }: DrawerButtonProps) {
	const app = useApp();
	const isBeside = drawer === "members" && app.isWide.value;
	return (
		<button
			type="button"
			class={`icon-button ${extra}`}
			data-toggle={drawer}
			aria-label={label}
			title={title}
			aria-expanded={isBeside ? app.membersBeside.value : app.drawer.value === drawer}
			onClick={() => app.toggleDrawer(drawer)}
		>
			<Icon name={icon} />
		</button>
	);
}
