/** The admin panel: changes that Discord itself does not offer. Polls the playground only while the panel is open. */
import { useSignal } from "@preact/signals";
import { Action, type Change, Panel } from "./admin-panel-fields.tsx";
import {
	ChannelSection,
	ClockSection,
	FaultSection,
	GatewaySection,
	GuildSection,
	MembersSection,
	RoleSection,
	ShopSection,
	UserSection,
} from "./admin-panel-sections.tsx";
import { useApp, useSnapshot } from "./app-context.ts";
import type { AdminState } from "./contract.ts";
import { usePolling } from "./use-polling.ts";

export function AdminPanel() {
	const { api, runAndReport } = useApp();
	const { guild, me } = useSnapshot();
	const admin = api.admin(guild.id);
	const latest = useSignal<AdminState | null>(null);
	const state = latest.value?.guild.id === guild.id ? latest.value : null;

	usePolling(guild.id, async (isCurrent) => {
		const next = await admin.state();
		if (isCurrent()) latest.value = next;
	});

	const change: Change = (action) => runAndReport(action(admin).then((next) => (latest.value = next)));
	return (
		<Panel title="Admin panel">
			<p class="note">Changes that Discord itself does not offer. The bot sees only their effects.</p>
			{state &&
				[
					ClockSection,
					GatewaySection,
					FaultSection,
					GuildSection,
					RoleSection,
					ChannelSection,
					MembersSection,
					UserSection,
					...(state.skus.length > 0 ? [ShopSection] : []),
				].map((SectionComponent, index) => (
					<SectionComponent key={`${guild.id} ${me.user.id} ${index}`} state={state} change={change} />
				))}
			<Action label="Reset settings and faults" run={() => change(({ reset }) => reset())} />
		</Panel>
	);
}
