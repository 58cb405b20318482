import { useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { Icon } from "./icon.tsx";
import { useNotifiedAction } from "./load-data.tsx";

/** The reader's avatar, with the button to log out. */
export function Account() {
	const { t, session, logOut, hasUnsaved } = useApp();
	const leaving = useNotifiedAction();
	if (!session.value) return null;
	const { name, avatarUrl } = session.value.user;
	const label = (
		<>
			<Icon name="leave" />
			<span class="sr-only">{t("dashboard.logOut")}</span>
		</>
	);
	return (
		<div class="account" title={name}>
			<Avatar name={name} url={avatarUrl} />
			{hasUnsaved() ? (
				<ConfirmButton
					class="icon-button"
					label={label}
					title={t("dashboard.unsaved")}
					text={t("dashboard.logOutUnsaved")}
					action={t("dashboard.logOut")}
					run={logOut}
				/>
			) : (
				<button
					type="button"
					class="icon-button"
					disabled={leaving.isBusy.value}
					onClick={() => void leaving.run(logOut)}
				>
					{label}
				</button>
			)}
		</div>
	);
}
