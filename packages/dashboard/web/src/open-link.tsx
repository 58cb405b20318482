import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";

/** A link to a result in Discord. */
export function OpenLink({ url }: { readonly url: string | null }) {
	const { t } = useApp();
	return url === null ? null : (
		<a class="button small" href={url} target="_blank" rel="noreferrer">
			<Icon name="open" />
			{t("button.open")}
		</a>
	);
}
