/** The reader's name, with the button to log out. */
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { Icon } from "./icon.tsx";
import { useNotifiedAction } from "./load-data.tsx";

export function AccountMenu() {
	const { t, session, logOut, hasUnsaved } = useApp();
	const details = useRef<HTMLDetailsElement>(null);
	const leaving = useNotifiedAction();
	useEffect(() => {
		const onClick = ({ target }: MouseEvent): void => {
			const isInside = target instanceof Node && details.current?.contains(target);
			if (details.current && !isInside) details.current.open = false;
		};
		const onKeyDown = ({ key }: KeyboardEvent): void => {
			if (key !== "Escape" || !details.current?.open) return;
			details.current.open = false;
			details.current.querySelector("summary")?.focus();
		};
		document.addEventListener("click", onClick);
		document.addEventListener("keydown", onKeyDown);
		return () => {
			document.removeEventListener("click", onClick);
			document.removeEventListener("keydown", onKeyDown);
		};
	}, []);
	if (!session.value) return null;
	const { user } = session.value;
	const label = (
		<>
			<Icon name="leave" />
			{t("dashboard.logOut")}
		</>
	);
	return (
		<details class="account" ref={details}>
			<summary aria-label={t("dashboard.accountMenu", { name: user.name })}>
				<Avatar name={user.name} url={user.avatarUrl} />
				<Icon name="chevron" />
			</summary>
			<div class="account-panel">
				<p class="ellipsis">{user.name}</p>
				{hasUnsaved() ? (
					<ConfirmButton
						class="button"
						label={label}
						title={t("dashboard.unsaved")}
						text={t("dashboard.logOutUnsaved")}
						action={t("dashboard.logOut")}
						run={logOut}
					/>
				) : (
					<button type="button" class="button" disabled={leaving.isBusy.value} onClick={() => void leaving.run(logOut)}>
						{label}
					</button>
				)}
			</div>
		</details>
	);
}
