/** The servers of the reader. */
import { ApiError } from "./api-error.ts";
import { useApp } from "./app-context.ts";
import { PageHead } from "./card.tsx";
import { Avatar } from "./avatar.tsx";
import { Icon } from "./icon.tsx";
import { Failure } from "./load-data.tsx";
import { operatorPathOf, pagesFor, pathOf } from "./routes.ts";

export function ServersPage() {
	const { t, session } = useApp();
	const servers = session.value?.servers ?? [];
	return (
		<>
			<PageHead title={t("dashboard.servers")} lead={t("dashboard.serversLead")}>
				{session.value?.operator && (
					<a class="button" href={operatorPathOf("servers")}>
						<Icon name="operator" />
						{t("dashboard.operator")}
					</a>
				)}
			</PageHead>
			<UnreadServers />
			{servers.length === 0 ? (
				!session.value?.isListIncomplete && <p class="empty">{t("dashboard.serversEmpty")}</p>
			) : (
				<ul class="stack tight">
					{servers.map(({ id, name, iconUrl, access }) => (
						<li key={id}>
							<a class="server row" href={pathOf(id, pagesFor(access)[0])}>
								<Avatar name={name} url={iconUrl} isSquare />
								<span class="server-name">{name}</span>
								<span class="badge">{t("dashboard.access", { access })}</span>
							</a>
						</li>
					))}
				</ul>
			)}
		</>
	);
}

/** Says that servers may be missing, if Discord did not return all of them. */
export function UnreadServers() {
	const { t, session, readSession } = useApp();
	if (!session.value?.isListIncomplete) return null;
	const error = new ApiError(null, "unavailable", t("web.unavailable"));
	return <Failure error={error} retry={readSession} />;
}
