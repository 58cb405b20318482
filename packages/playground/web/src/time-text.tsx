/** Times as `<time>` elements. */
import { signal } from "@preact/signals";
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
	const { locale } = reader;
	const text = timestampText(seconds, style, style === "R" ? { nowMs: nowMs.value, locale } : reader);
	return (
		<time
			class="timestamp"
			// The conversation is a live region, and this text may change every second.
			aria-live="off"
			dateTime={new Date(seconds * 1000).toISOString()}
			lang={locale}
			title={timestampText(seconds, "F", reader)}
		>
			{text}
		</time>
	);
}

/** The time left of something that ends. */
export function TimeLeft({ untilMs }: { untilMs: number }) {
	return (
		<time
			aria-live="off"
			dateTime={new Date(untilMs).toISOString()}
			title={timestampText(untilMs / 1000, "F", useReader())}
		>
			{timeLeftText(untilMs - nowMs.value)}
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
