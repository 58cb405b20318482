/** Times as `<time>` elements. */
import { signal, useComputed } from "@preact/signals";
import type { ComponentProps } from "preact";
import { useApp, useSnapshot } from "./app-context.ts";
import type { PageMember } from "./contract.ts";
import { dayNumber, messageTimeText, type TimeFormat, relativeText, timestampText } from "./time.ts";

const TICK_MS = 1_000;

/** The time of the browser. Ticks once a second. */
const browserMs = signal(Date.now());

export function startClock(): void {
	setInterval(() => (browserMs.value = Date.now()), TICK_MS);
}

/** The time of the playground. A component that uses it renders every second. */
function useNowMs(): number {
	return browserMs.value + useApp().state.clockAheadMs.value;
}

/** The number of the current day. A component that uses it renders at midnight. */
export function useToday(): number {
	const { clockAheadMs } = useApp().state;
	return useComputed(() => dayNumber(browserMs.value + clockAheadMs.value)).value;
}

/** Times are in the language of the user's Discord. */
export function useTimeFormat(): TimeFormat {
	const nowMs = Date.now() + useApp().state.clockAheadMs.value;
	return { nowMs, locale: useSnapshot().me.locale };
}

export function Timestamp({ seconds, style }: { seconds: number; style: string }) {
	const timeFormat = useTimeFormat();
	return (
		// The conversation is a live region, and this text may change every second.
		<Time atMs={seconds * 1000} class="timestamp" aria-live="off">
			{style === "R" ? <RelativeTime atMs={seconds * 1000} /> : timestampText(seconds, style, timeFormat)}
		</Time>
	);
}

function RelativeTime({ atMs }: { atMs: number }) {
	return relativeText(atMs, { ...useTimeFormat(), nowMs: useNowMs() });
}

/** Tells until when a member is timed out; null without a timeout. */
export function useTimeoutText({ timedOutUntilMs: untilMs }: PageMember): string | null {
	const { clockAheadMs } = useApp().state;
	const timeFormat = useTimeFormat();
	if (untilMs === undefined || untilMs <= browserMs.value + clockAheadMs.value) return null;
	return `Timed out until ${messageTimeText(untilMs, timeFormat)}`;
}

export function MessageTime({ atMs }: { atMs: number }) {
	return (
		<Time atMs={atMs} class="message-time">
			{messageTimeText(atMs, useTimeFormat())}
		</Time>
	);
}

function Time({ atMs, ...attributes }: ComponentProps<"time"> & { atMs: number }) {
	const timeFormat = useTimeFormat();
	const title = timestampText(atMs / 1000, "F", timeFormat);
	return <time lang={timeFormat.locale} dateTime={new Date(atMs).toISOString()} title={title} {...attributes} />;
}
