/** A page with one message, such as a refusal. */
import { useApp } from "./app-context.ts";
import { PageHead } from "./page-head.tsx";

export function Message({ title, text }: { readonly title: string; readonly text: string }) {
	const { t } = useApp();
	return (
		<>
			<PageHead title={title} />
			<p class="lead">{text}</p>
			<p class="after-lead">
				<a class="button" href="/dashboard/">
					{t("dashboard.allServers")}
				</a>
			</p>
		</>
	);
}
