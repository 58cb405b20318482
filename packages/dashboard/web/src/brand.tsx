import { useApp } from "./app-context.ts";

/** The name of the dashboard, with a link to the list of servers. */
export function Brand() {
	const { t } = useApp();
	return (
		<a class="brand" href="/dashboard/">
			<span class="brand-mark" aria-hidden="true" />
			<span class="brand-name">{t("dashboard.title")}</span>
		</a>
	);
}
