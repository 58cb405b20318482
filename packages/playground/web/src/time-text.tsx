/** Times as `<time>` elements. */
import { signal, useComputed } from "@preact/signals";
import { usePage } from "./app-context.ts";
import { messageTimeText, type Reader, timestampText } from "./time.ts";

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
	const { locale } = reader;
	// As a signal, the text changes without a new render.
	const relative = useComputed(() => timestampText(seconds, "R", { nowMs: nowMs.value, locale }));
	return (
		<time
			class="timestamp"
			// The conversation is a live region, and this text may change every second.
			aria-live="off"
			dateTime={new Date(seconds * 1000).toISOString()}
			lang={locale}
			title={timestampText(seconds, "F", reader)}
		>
			{style === "R" ? relative : timestampText(seconds, style, reader)}
		</time>
	);
}

export function MessageTime({ atMs }: { atMs: number }) {
	const reader = useReader();
	return (
		<time
			class="message-time"
			lang={reader.locale}
			dateTime={new Date(atMs).toISOString()}
			title={timestampText(atMs / 1000, "F", reader)}
		>
			{messageTimeText(atMs, reader)}
		</time>
	);
}
