/** A page with one message, such as a refusal. */
import type { ComponentChildren } from "preact";
import { useApp } from "./app-context.ts";
import { PageHead } from "./card.tsx";

interface MessagePageProps {
	readonly title: string;
	readonly text: string;
	/** Links beside the one to the list of servers. */
	readonly children?: ComponentChildren;
}

export function MessagePage({ title, text, children }: MessagePageProps) {
	const { t } = useApp();
	return (
		<>
			<PageHead title={title} />
			<div class="stack">
				<p class="lead">{text}</p>
				<p class="page-tools">
					<a class="button" href="/dashboard/">
						{t("dashboard.allServers")}
					</a>
					{children}
				</p>
			</div>
		</>
	);
}
