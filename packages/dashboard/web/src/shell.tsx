/** The frame around pages: a menu at the side, or a bar at the top of small screens. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { useAction } from "./use-action.ts";

interface NavLink {
	readonly href: string;
	readonly icon: IconName;
	readonly text: string;
	readonly isOpen: boolean;
}

interface ShellProps {
	/** Above the links: the server, or the name of the pages. */
	readonly heading: ComponentChildren;
	readonly links: readonly NavLink[];
	readonly children: ComponentChildren;
}

export function Shell({ heading, links, children }: ShellProps) {
	return (
		<div class="shell">
			<header class="side">
				<div class="side-head">
					<BrandAndAccount />
				</div>
				{heading}
				<SideNav links={links} />
			</header>
			{children}
		</div>
	);
}

/** The name of the dashboard, with a link to the list of servers, and the reader's avatar, with the button to log out. */
export function BrandAndAccount() {
	const { t } = useApp();
	return (
		<>
			<a class="brand row" href="/dashboard/">
				<span class="brand-mark" aria-hidden="true" />
				<span class="brand-name">{t("dashboard.title")}</span>
			</a>
			<Account />
		</>
	);
}

function Account() {
	const { t, session, logOut, hasUnsaved } = useApp();
	const leaving = useAction();
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
					aria-disabled={leaving.isBusy.value}
					onClick={() => void (leaving.isBusy.value || leaving.run(logOut))}
				>
					{label}
				</button>
			)}
		</div>
	);
}

function SideNav({ links }: Pick<ShellProps, "links">) {
	const { t } = useApp();
	const list = useRef<HTMLUListElement>(null);
	const open = links.find(({ isOpen }) => isOpen)?.href;
	useEffect(() => {
		// On a phone the links are one row that scrolls sideways.
		list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
	}, [open]);
	return (
		<nav aria-label={t("dashboard.navigation")}>
			<ul class="nav" ref={list}>
				{links.map(({ href, icon, text, isOpen }) => (
					<li key={href}>
						<a class="row" href={href} aria-current={isOpen ? "page" : undefined}>
							<Icon name={icon} />
							{text}
						</a>
					</li>
				))}
				<li class="nav-last">
					<a class="row" href="/dashboard/">
						<Icon name="servers" />
						{t("dashboard.allServers")}
					</a>
				</li>
			</ul>
		</nav>
	);
}
