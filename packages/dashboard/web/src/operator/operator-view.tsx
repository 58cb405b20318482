/** The pages of operators of the bot. */
import { useApp } from "../app-context.ts";
import { ErrorBoundary } from "../error-boundary.tsx";
import { OPERATOR_PAGES, operatorPathOf, type OperatorPageName } from "../routes.ts";
import { Shell } from "../shell.tsx";
import { HealthPage } from "./health-page.tsx";
import { OperatorServerPage } from "./server-page.tsx";
import { OperatorServersPage } from "./servers-page.tsx";
import { StudioPage } from "./studio-page.tsx";

const ICONS = { servers: "operator", health: "health", studio: "studio" } as const;
const PAGES = { servers: OperatorServersPage, health: HealthPage, studio: StudioPage };

interface OperatorViewProps {
	readonly page: OperatorPageName;
	readonly serverId: string | null;
}

export function OperatorView({ page, serverId }: OperatorViewProps) {
	const { t, session } = useApp();
	const Page = PAGES[page];
	const links = OPERATOR_PAGES.map((name) => ({
		href: operatorPathOf(name),
		icon: ICONS[name],
		text: t("dashboard.operatorPage", { page: name }),
		isOpen: name === page,
	}));
	return (
		<Shell heading={<p class="side-server row">{t("dashboard.operator")}</p>} links={links}>
			<main id="main">
				<ErrorBoundary
					key={serverId ?? page}
					title={serverId === null ? t("dashboard.operatorPage", { page }) : t("dashboard.server")}
				>
					{serverId === null ? <Page /> : <OperatorServerPage serverId={serverId} />}
				</ErrorBoundary>
				{session.value?.operator?.mayWrite === false && <p class="hint">{t("web.operatorReadOnly")}</p>}
			</main>
		</Shell>
	);
}
