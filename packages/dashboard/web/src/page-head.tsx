/** The heading of a page, which also names the browser's tab. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useApp } from "./app-context.ts";

interface PageHeadProps {
	readonly title: string;
	readonly lead?: string;
	/** Links and choices beside the heading. */
	readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, children }: PageHeadProps) {
	const { t } = useApp();
	useEffect(() => {
		document.title = `${title} · ${t("dashboard.title")}`;
	}, [title]);
	return (
		<div class="page-head">
			<div>
				<h1 tabIndex={-1}>{title}</h1>
				{lead !== undefined && <p class="lead">{lead}</p>}
			</div>
			{children !== undefined && <div class="page-tools">{children}</div>}
		</div>
	);
}
