/** Times as `<time>` elements. */
import { signal, useComputed } from "@preact/signals";
import { messageTimeText, timestampText } from "./time.ts";

const TICK_MS = 1_000;

/** Ticks once a second. Only components that show relative times read it. */
const nowMs = signal(Date.now());

export function startClock(): void {
	setInterval(() => (nowMs.value = Date.now()), TICK_MS);
}

/** A timestamp of a message, in the reader's language. */
export function Timestamp({ seconds, style, locale }: { seconds: number; style: string; locale: string }) {
	const reader = { nowMs: Date.now(), locale };
	// As a signal, the text changes without a new render.
	const relative = useComputed(() => timestampText(seconds, "R", { nowMs: nowMs.value, locale }));
	return (
		<time
			class="timestamp"
			dateTime={new Date(seconds * 1000).toISOString()}
			lang={locale}
			title={timestampText(seconds, "F", reader)}
		>
			{style === "R" ? relative : timestampText(seconds, style, reader)}
		</time>
	);
}

export function MessageTime({ atMs }: { atMs: number }) {
	const reader = { nowMs: Date.now() };
	return (
		<time class="message-time" dateTime={new Date(atMs).toISOString()} title={timestampText(atMs / 1000, "F", reader)}>
			{messageTimeText(atMs, reader)}
		</time>
	);
}
