/** The links of the pages beside the content. */
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon, type IconName } from "./icon.tsx";

interface NavLink {
	readonly href: string;
	readonly icon: IconName;
	readonly text: string;
	readonly isOpen: boolean;
}

export function SideNav({ links }: { readonly links: readonly NavLink[] }) {
	const { t } = useApp();
	const list = useRef<HTMLUListElement>(null);
	const open = links.find(({ isOpen }) => isOpen)?.href;
	useEffect(() => {
		const current = list.current?.querySelector<HTMLElement>("[aria-current]");
		// On a phone the links are one row that scrolls sideways.
		if (current && list.current) list.current.scrollLeft = current.offsetLeft - list.current.clientWidth / 3;
	}, [open]);
	return (
		<nav aria-label={t("dashboard.navigation")}>
			<ul class="nav" ref={list}>
				{links.map(({ href, icon, text, isOpen }) => (
					<li key={href}>
						<a href={href} aria-current={isOpen ? "page" : undefined}>
							<Icon name={icon} />
							{text}
						</a>
					</li>
				))}
				<li class="nav-last">
					<a href="/dashboard/">
						<Icon name="servers" />
						{t("dashboard.allServers")}
					</a>
				</li>
			</ul>
		</nav>
	);
}
