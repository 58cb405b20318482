/** The names of members, and of the authors of changes. */
import { useContext, useEffect } from "preact/hooks";
import { OpenServer, useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";

/** The name of a member; the id before it is known, and outside of a server. */
export function MemberName({ id, withAvatar = false }: { readonly id: string; readonly withAvatar?: boolean }) {
	const names = useContext(OpenServer)?.names;
	useEffect(() => names?.request(id), [id]);
	const member = names?.known.value.get(id);
	return (
		<span class="member">
			{withAvatar && <Avatar name={member?.name ?? ""} url={member?.avatarUrl ?? null} />}
			<span class="member-name">{member?.name ?? id}</span>
		</span>
	);
}

interface AuthorProps {
	readonly userId: string | null;
	readonly keyName: string | null;
	/** Otherwise the bot made the change, unless a member or a key did. */
	readonly isOperator: boolean;
	readonly withAvatar?: boolean;
}

/** The author of a change: a member, an API key, or another one. */
export function Author({ userId, keyName, isOperator, withAvatar = false }: AuthorProps) {
	const { t } = useApp();
	if (userId !== null) return <MemberName id={userId} withAvatar={withAvatar} />;
	if (keyName !== null) return <span>{t("dashboard.byKey", { name: keyName })}</span>;
	return <span>{isOperator ? t("dashboard.byOwner") : t("dashboard.byBot")}</span>;
}
