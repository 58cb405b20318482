import { useApp } from "./app-context.ts";
import { MemberName } from "./card.tsx";

interface AuthorProps {
	readonly userId: string | null;
	readonly keyName: string | null;
	/** The author of a change that neither a member nor a key made. */
	readonly otherwise: string;
	readonly withAvatar?: boolean;
}

/** The author of a change: a member, an API key, or another one. */
export function Author({ userId, keyName, otherwise, withAvatar = false }: AuthorProps) {
	const { t } = useApp();
	if (userId !== null) return <MemberName id={userId} withAvatar={withAvatar} />;
	return <span>{keyName === null ? otherwise : t("dashboard.byKey", { name: keyName })}</span>;
}
