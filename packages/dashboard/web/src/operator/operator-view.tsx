/** The pages of operators of the bot. */
import { Account } from "../account.tsx";
import { useApp } from "../app-context.ts";
import { Brand } from "../brand.tsx";
import type { IconName } from "../icon.tsx";
import { OPERATOR_PAGES, operatorPathOf, type OperatorPageName } from "../routes.ts";
import { SideNav } from "../side-nav.tsx";
import { HealthPage } from "./health-page.tsx";
import { OperatorServerPage } from "./server-page.tsx";
import { OperatorServersPage } from "./servers-page.tsx";
import { StudioPage } from "./studio-page.tsx";

const ICONS = { servers: "operator", health: "health", studio: "studio" } as const satisfies Record<
	OperatorPageName,
	IconName
>;

interface OperatorViewProps {
	readonly page: OperatorPageName;
	readonly serverId: string | null;
}

export function OperatorView({ page, serverId }: OperatorViewProps) {
	const { t, session } = useApp();
	return (
		<div class="shell">
			<header class="side">
				<div class="side-head">
					<Brand />
					<Account />
				</div>
				<p class="side-server">{t("dashboard.operator")}</p>
				<SideNav
					links={OPERATOR_PAGES.map((name) => ({
						href: operatorPathOf(name),
						icon: ICONS[name],
						text: t("dashboard.operatorPage", { page: name }),
						isOpen: name === page,
					}))}
				/>
			</header>
			<main id="main">
				<OpenPage page={page} serverId={serverId} />
				{session.value?.operator?.mayWrite === false && <p class="hint">{t("dashboard.operatorReadOnly")}</p>}
			</main>
		</div>
	);
}

function OpenPage({ page, serverId }: OperatorViewProps) {
	switch (page) {
		case "servers":
			return serverId === null ? <OperatorServersPage /> : <OperatorServerPage key={serverId} serverId={serverId} />;
		case "health":
			return <HealthPage />;
		case "studio":
			return <StudioPage />;
	}
}
