/** Times as `<time>` elements. */
import { signal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { usePage } from "./app-context.ts";
import { messageTimeText, type Reader, timeLeftText, timestampText } from "./time.ts";

const TICK_MS = 1_000;

/** Ticks once a second. Only components that show relative times read it. */
const nowMs = signal(Date.now());

export function startClock(): void {
	setInterval(() => (nowMs.value = Date.now()), TICK_MS);
}

/** Times are in the language of the user's Discord. */
export function useReader() {
	return { nowMs: Date.now(), locale: usePage().me.locale } satisfies Reader;
}

export function Timestamp({ seconds, style }: { seconds: number; style: string }) {
	const reader = useReader();
	// The conversation is a live region, and this text may change every second.
	return (
		<Time atMs={seconds * 1000} class="timestamp" aria-live="off">
			{timestampText(seconds, style, style === "R" ? { ...reader, nowMs: nowMs.value } : reader)}
		</Time>
	);
}

/** The time left of something that ends. */
export function TimeLeft({ untilMs }: { untilMs: number }) {
	return (
		<Time atMs={untilMs} aria-live="off">
			{timeLeftText(untilMs - nowMs.value)}
		</Time>
	);
}

export function MessageTime({ atMs }: { atMs: number }) {
	return (
		<Time atMs={atMs} class="message-time">
			{messageTimeText(atMs, useReader())}
		</Time>
	);
}

function Time({ atMs, ...attributes }: ComponentProps<"time"> & { atMs: number }) {
	const reader = useReader();
	const title = timestampText(atMs / 1000, "F", reader);
	return <time lang={reader.locale} dateTime={new Date(atMs).toISOString()} title={title} {...attributes} />;
}
