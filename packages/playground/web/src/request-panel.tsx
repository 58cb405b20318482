/** The panel of requests: the last requests of the bot and packets of the gateway, newest first, with filters. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Panel, SelectField } from "./admin-panel-fields.tsx";
import { useApp, useSnapshot } from "./app-context.ts";
import type { LogList, LogRecord } from "./contract.ts";
import { LogEntry } from "./request-entry.tsx";
import { usePolling } from "./use-polling.ts";

const RECORDS_SHOWN_MAX = 300;
const KINDS = {
	"": "Everything",
	request: "Requests",
	dispatch: "Events to the bot",
	received: "Packets from the bot",
} as const;
const VERDICTS = { "": "Any verdict", valid: "Valid", invalid: "Not valid", unchecked: "Not checked" } as const;

export function RequestPanel() {
	const { api, state } = useApp();
	const { guild } = useSnapshot();
	const connection = state.connectionCount.value;
	const records = useSignal<readonly LogRecord[]>([]);
	const counts = useSignal<LogList["counts"]>({ valid: 0, invalid: 0, unchecked: 0 });
	const text = useSignal("");
	const kind = useSignal("");
	const verdict = useSignal("");
	// A new connection may be one to a restarted playground, whose ids begin again.
	useEffect(() => {
		records.value = [];
	}, [connection]);
	usePolling(String(connection), async (isCurrent) => {
		const log = await api.admin(guild.id).log({ after: records.value[0]?.id ?? 0 });
		if (!isCurrent()) return;
		counts.value = log.counts;
		if (log.records.length > 0)
			records.value = [...log.records.toReversed(), ...records.value].slice(0, RECORDS_SHOWN_MAX);
	});
	const shown = useComputed(() =>
		records.value.filter(
			(record) =>
				(kind.value === "" || record.kind === kind.value) &&
				(verdict.value === "" || (record.kind === "request" && record.verdict === verdict.value)) &&
				searchText(record).includes(text.value.trim().toLowerCase()),
		),
	);

	const { valid, invalid, unchecked } = counts.value;
	return (
		<Panel title="Requests">
			<div class="request-filters">
				<label class="panel-field">
					<span>Filter</span>
					<input
						type="search"
						placeholder="A route, an event, a status, or a word"
						value={text}
						onInput={({ currentTarget }) => (text.value = currentTarget.value)}
					/>
				</label>
				<SelectField label="Kind" value={kind.value} options={KINDS} onChange={(value) => (kind.value = value)} />
				<SelectField
					label="Verdict"
					value={verdict.value}
					options={VERDICTS}
					onChange={(value) => (verdict.value = value)}
				/>
			</div>
			<p>
				<a class="button small" href="/playground/admin/recording" download="session.json">
					Save recording
				</a>
			</p>
			<p class={invalid > 0 ? "request-counts bad" : "request-counts"}>
				{valid} valid, {invalid} not valid, {unchecked} not checked
			</p>
			{shown.value.length === 0 && <p class="note">Nothing matches yet.</p>}
			<ol class="request-log" aria-label="Requests of the bot, newest first">
				{shown.value.map((record) => (
					<LogEntry key={record.id} record={record} />
				))}
			</ol>
		</Panel>
	);
}

function searchText(record: LogRecord): string {
	const { kind } = record;
	const name =
		kind === "request" ? `${record.method} ${record.path} ${record.status} ${record.errors.join(" ")}` : record.event;
	const bodies = kind === "request" ? [record.request, record.response] : [record.body];
	return `${name} ${JSON.stringify(bodies)}`.toLowerCase();
}
