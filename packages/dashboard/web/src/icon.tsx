/** Icons: outlines on a grid of 24 units, stroked by the style sheet. */
const PATHS = {
	overview: "M4 11.5 12 4l8 7.5V20h-5.5v-5h-5v5H4Z",
	usage: "M5 20v-7M12 20V4M19 20v-10",
	limits: "M4 18a8.5 8.5 0 1 1 16 0M12 16l4-5",
	credits: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.5 13.4 10.6l3.1 1.4-3.1 1.4L12 16.5l-1.4-3.1L7.5 12l3.1-1.4Z",
	jobs: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
	reports: "M6 21V4M6 4.5c4-2.2 8 2.2 12 0v8.5c-4 2.2-8-2.2-12 0",
	moderation: "M12 3.5 19.5 6v6c0 4.5-3.2 7.3-7.5 8.5C7.7 19.3 4.5 16.5 4.5 12V6Z",
	settings:
		"M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
	keys: "M15.5 14a5 5 0 1 0-4.6-3.1L4 17.8V20h3.2l1.3-1.3v-2h2v-2l1.6-1.5A5 5 0 0 0 15.5 14ZM16.8 8.4a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2Z",
	operator: "M4 6h16v5H4ZM4 13h16v5H4ZM7.5 8.5h.01M7.5 15.5h.01",
	health: "M3 12h4l2.5-6 4.5 12 2.5-6H21",
	studio: "M5 19 16 8M14 4.5v2M14 12.5v2M10 9.5h2M18 9.5h2M17 6.5l1-1",
	audit: "M12 7v5l3.5 2M4.5 12A7.5 7.5 0 1 0 7 6.4L4.5 8.5M4.5 4.5v4h4",
	me: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.9-3.7 3.8-5.5 7.5-5.5s6.6 1.8 7.5 5.5",
	servers: "M4 5h6.5v6.5H4ZM13.5 5H20v6.5h-6.5ZM4 14.5h6.5V20H4ZM13.5 14.5H20V20h-6.5Z",
	alert: "M12 4 2.8 19.5h18.4L12 4ZM12 10v4.5M12 17.2v.3",
	check: "M5 12.5l4.5 4.5L19 7.5",
	close: "M6 6l12 12M18 6 6 18",
	download: "M12 4v11M7 11l5 5 5-5M5 20h14",
	open: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
	leave: "M14 4h5a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-5M4 12h11M10.5 7l5 5-5 5",
	image:
		"M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9.2a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6Z",
	lock: "M7 11V8a5 5 0 0 1 10 0v3M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z",
	play: "M8 5.5v13l11-6.5Z",
	video: "M4 6h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM16 10.5 21 8v8l-5-2.5",
	music: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
	return (
		<svg viewBox="0 0 24 24" class="icon" aria-hidden="true" focusable="false">
			<path d={PATHS[name]} />
		</svg>
	);
}
