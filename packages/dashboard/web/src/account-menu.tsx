/** The reader's name, with the button to log out. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { Icon } from "./icon.tsx";

export function AccountMenu() {
	const { t, session, logOut, notify, errorText } = useApp();
	const details = useRef<HTMLDetailsElement>(null);
	const isBusy = useSignal(false);
	useEffect(() => {
		const close = (event: Event): void => {
			const isInside = event.target instanceof Node && details.current?.contains(event.target);
			const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
			if (!details.current?.open || (event instanceof KeyboardEvent ? !isEscape : isInside)) return;
			details.current.open = false;
			if (isEscape) details.current.querySelector("summary")?.focus();
		};
		document.addEventListener("click", close);
		document.addEventListener("keydown", close);
		return () => {
			document.removeEventListener("click", close);
			document.removeEventListener("keydown", close);
		};
	}, []);
	if (!session.value) return null;
	const { user } = session.value;
	return (
		<details class="account" ref={details}>
			<summary aria-label={t("dashboard.accountMenu", { name: user.name })}>
				<Avatar name={user.name} url={user.avatarUrl} />
				<Icon name="chevron" />
			</summary>
			<div class="account-panel">
				<p class="ellipsis">{user.name}</p>
				<button
					type="button"
					class="button"
					disabled={isBusy.value}
					onClick={() => {
						isBusy.value = true;
						logOut()
							.catch((error: unknown) => notify(errorText(error), true))
							.finally(() => (isBusy.value = false));
					}}
				>
					<Icon name="leave" />
					{t("dashboard.logOut")}
				</button>
			</div>
		</details>
	);
}
