/** The admin panel: changes that Discord itself does not offer, and the requests of the bot. Reads the server only while it is open. */
import { useSignal } from "@preact/signals";
import { ClockSection } from "./admin-panel-clock.tsx";
import { FaultSection } from "./admin-panel-faults.tsx";
import { Action, type Change } from "./admin-panel-fields.tsx";
import { GatewaySection } from "./admin-panel-gateway.tsx";
import { GuildSection } from "./admin-panel-guild.tsx";
import { RequestLog } from "./admin-panel-requests.tsx";
import { ShopSection } from "./admin-panel-shop.tsx";
import { UserSection } from "./admin-panel-user.tsx";
import { errorText } from "./api.ts";
import { useApp, usePage } from "./app-context.ts";
import type { AdminState } from "./contract.ts";
import { usePoll } from "./use-poll.ts";

export function AdminPanel() {
	const { drawer, closeDrawer } = useApp();
	const wasOpened = useSignal(false);
	const isOpen = drawer.value === "admin";
	if (isOpen) wasOpened.value = true;
	return (
		<aside class="panel" aria-label="Admin panel">
			<header class="panel-head">
				<h2>Admin panel</h2>
				<Action label="Close" run={closeDrawer} />
			</header>
			<p class="panel-note">Changes that Discord itself does not offer. The bot is not told.</p>
			{wasOpened.value && <Sections isOpen={isOpen} />}
		</aside>
	);
}

function Sections({ isOpen }: { isOpen: boolean }) {
	const { api, showToast } = useApp();
	const { guild, me } = usePage();
	const controls = useSignal<AdminState | null>(null);
	const state = controls.value?.guild.id === guild.id ? controls.value : null;

	usePoll(isOpen, guild.id, async (isCurrent) => {
		const next = await api.admin.state(guild.id);
		if (isCurrent()) controls.value = next;
	});

	const change: Change = (method, path, body) => {
		api.admin.change(guild.id, method, path, body).then(
			(next) => (controls.value = next),
			(error) => showToast(errorText(error)),
		);
	};
	return (
		<div class="panel-body" tabIndex={-1}>
			<RequestLog isOpen={isOpen} />
			{state && (
				<div key={`${guild.id} ${me.user.id}`} class="panel-sections">
					<ClockSection state={state} change={change} />
					<GatewaySection state={state} change={change} />
					<FaultSection state={state} change={change} />
					<GuildSection state={state} change={change} />
					<UserSection state={state} change={change} />
					<ShopSection state={state} change={change} />
				</div>
			)}
			<div class="panel-line">
				<Action label="Reset everything" run={() => change("DELETE", "")} />
			</div>
		</div>
	);
}
