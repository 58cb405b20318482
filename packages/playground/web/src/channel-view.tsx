/**
 * The conversation of the open channel. Keeps the place where the user reads, and follows new messages only while the user is at the
 * end.
 */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";
import { continuesGroup, Message } from "./message.tsx";
import { FailedCommand, PendingCommand } from "./command-status.tsx";
import type { Row } from "./state.ts";
import { useTimeFormat, useToday } from "./time-text.tsx";
import { dayNumber, dayText, type TimeFormat, snowflakeTimeMs } from "./time.ts";
import { Welcome } from "./welcome.tsx";

/** Closer to the end than this counts as being there. */
const END_PX = 60;
/** The time for which the message of a link or a quote is highlighted. */
const MARK_MS = 2_000;

export function ChannelView() {
	const { state } = useApp();
	const rows = state.rows.value;
	const scroller = useRef<HTMLDivElement>(null);
	const list = useRef<HTMLOListElement>(null);
	const isAtEnd = useSignal(true);
	/** The heights of the conversation and of its visible part at the last change of the layout. */
	const heights = useRef("");

	/** Returns whether the layout changed since the last call. */
	function noteHeights({ scrollHeight, clientHeight }: HTMLElement): boolean {
		const before = heights.current;
		heights.current = `${scrollHeight} ${clientHeight}`;
		return heights.current !== before;
	}

	function noteEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): void {
		isAtEnd.value = scrollHeight - scrollTop - clientHeight < END_PX;
	}

	function toEnd(behavior: ScrollBehavior): void {
		scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior });
	}

	useLayoutEffect(() => {
		const follow = new ResizeObserver(() => {
			if (scroller.current) noteHeights(scroller.current);
			if (isAtEnd.value) toEnd("instant");
		});
		for (const element of [list.current, scroller.current]) if (element) follow.observe(element);
		return () => follow.disconnect();
	}, []);
	useLayoutEffect(() => {
		if (isAtEnd.value || rows.at(-1)?.kind === "pending") toEnd("instant");
	}, [rows]);

	useLayoutEffect(() => {
		const { id, isMarked } = state.revealed.value ?? {};
		const row = id === undefined ? null : list.current?.querySelector(`[data-id="${CSS.escape(id)}"]`);
		if (!row) return;
		state.revealed.value = null;
		row.scrollIntoView({ block: "nearest" });
		if (scroller.current) noteEnd(scroller.current);
		if (isMarked) row.animate([{ offset: 0, backgroundColor: "var(--accent-soft)" }], MARK_MS);
	}, [rows, state.revealed.value]);

	return (
		<div class="conversation">
			<div
				ref={scroller}
				class="scroller"
				tabIndex={0}
				role="log"
				aria-label="Conversation"
				onScroll={({ currentTarget }) => {
					// The browser scrolls when the layout changes, for example for an open panel. The observer then follows the end.
					if (noteHeights(currentTarget) && isAtEnd.value) return;
					noteEnd(currentTarget);
				}}
			>
				<div class="channel-start">
					<Welcome isEmpty={rows.length === 0} />
				</div>
				<ol ref={list} class="messages" aria-label="Messages">
					{rows.map((row, at) => (
						<RowWithDay key={row.id} row={row} before={rows[at - 1]} />
					))}
				</ol>
			</div>
			<button type="button" class="button small jump" hidden={isAtEnd.value} onClick={() => toEnd("auto")}>
				Jump to newest
				<Icon name="down" />
			</button>
		</div>
	);
}

function RowWithDay({ row, before }: { row: Row; before: Row | undefined }) {
	const timeFormat = useTimeFormat();
	return useMemo(() => {
		const day = dayLabel(row, before, timeFormat);
		return (
			<>
				{day !== null && (
					<li class="row day">
						<span>{day}</span>
					</li>
				)}
				<RowView row={row} isGrouped={day === null && continuesGroup(row, before)} />
			</>
		);
	}, [row, before, timeFormat.locale, useToday()]);
}

function RowView({ row, isGrouped }: { row: Row; isGrouped: boolean }) {
	switch (row.kind) {
		case "message":
			return <Message row={row} isGrouped={isGrouped} />;
		case "failed":
			return <FailedCommand row={row} />;
		case "pending":
			return <PendingCommand invocation={row.invocation} />;
	}
}

/** The day of a row, where it is another than that of the row before. */
function dayLabel(row: Row, before: Row | undefined, timeFormat: TimeFormat): string | null {
	const atMs = snowflakeTimeMs(row.id);
	const isSameDay = before && dayNumber(snowflakeTimeMs(before.id)) === dayNumber(atMs);
	return isSameDay ? null : dayText(atMs, timeFormat);
}
