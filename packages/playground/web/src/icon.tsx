import type { ComponentProps } from "preact";

/** Icons: outlines on a grid of 24 units, stroked by the style sheet. */
const PATHS = {
	hash: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
	thread: "M4 5h16v10H12l-4.5 4V15H4ZM8 9h8M8 12h5",
	at: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm0-4v5.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7.1",
	menu: "M4 7h16M4 12h16M4 17h10",
	members:
		"M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14.8c2 .8 3.2 2.6 3.5 5.2",
	admin:
		"M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
	reply: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
	edit: "M5 19l1-4.5L16.5 4 20 7.5 9.5 18 5 19ZM14 6.5l3.5 3.5",
	smile: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM9 10h.01M15 10h.01M8.5 14a4.2 4.2 0 0 0 7 0",
	remove: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5",
	requests: "M4 8h14M14.5 4.5 18 8l-3.5 3.5M20 16H6M9.5 12.5 6 16l3.5 3.5",
	send: "M5 12h13M12.5 6 18.5 12l-6 6",
	close: "M6 6l12 12M18 6 6 18",
	down: "M12 5v13M6 12.5 12 18.5l6-6",
	download: "M12 4v11M7 11l5 5 5-5M5 20h14",
	open: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
	file: "M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM14 3v5h5",
	music: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z",
	slash: "M15 4 9 20",
	poll: "M5 20v-9M12 20V4M19 20v-6",
	eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
	alert: "M12 4 2.8 19.5h18.4L12 4ZM12 10v4.5M12 17.2v.3",
	chevron: "M7 9.5l5 5 5-5",
	check: "M5 12.5l4.5 4.5L19 7.5",
	clip: "M20 11.5 12 19.5a5 5 0 0 1-7-7l8-8a3.3 3.3 0 0 1 4.7 4.7l-8 8a1.7 1.7 0 0 1-2.4-2.4l7-7",
	more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
	moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
	return (
		<svg viewBox="0 0 24 24" class={`icon ${extra}`} aria-hidden="true" focusable="false">
			<path d={PATHS[name]} />
		</svg>
	);
}

type IconButtonProps = Omit<ComponentProps<"button">, "class"> & {
	readonly icon: IconName;
	readonly label: string;
	readonly class?: string;
};

/** A button that shows only an icon; `label` is its name. */
export function IconButton({ icon, label, title = label, class: extra = "", ...attributes }: IconButtonProps) {
	return (
		<button type="button" class={`icon-button ${extra}`} aria-label={label} title={title} {...attributes}>
			<Icon name={icon} />
		</button>
	);
}
