/** An entry of the request log: its line, and its bodies when it is open. */
import { useSignal } from "@preact/signals";
import { Action } from "./admin-panel-fields.tsx";
import { useApp } from "./app-context.ts";
import type { GatewayRecord, LoggedBody, LogRecord, RequestRecord } from "./contract.ts";
import { curlCommand } from "./curl-command.ts";

const VERDICTS = { valid: "valid", invalid: "not valid", unchecked: "not checked" } as const;
const DIRECTIONS = { dispatch: "sent to the bot", received: "received from the bot" } as const;

export function LogEntry({ record }: { record: LogRecord }) {
	const isOpen = useSignal(false);
	const isRequest = record.kind === "request";
	return (
		<li>
			<button
				type="button"
				class="request-line"
				aria-expanded={isOpen.value}
				data-verdict={isRequest ? record.verdict : undefined}
				onClick={() => (isOpen.value = !isOpen.value)}
			>
				{isRequest ? <RequestLine record={record} /> : <GatewayLine record={record} />}
			</button>
			{isOpen.value && (
				<div class="request-details">
					{isRequest ? <RequestDetails record={record} /> : <LoggedBodyView title="Data" body={record.body} />}
				</div>
			)}
		</li>
	);
}

function RequestLine({ record }: { record: RequestRecord }) {
	const { method, path, status, verdict, isInjected, atMs } = record;
	const injectedNote = isInjected ? ", response replaced by an injected fault" : "";
	return (
		<>
			<span class={status === 0 || status >= 400 ? "request-status bad" : "request-status"}>
				{status === 0 ? "cut" : status}
			</span>
			<span>
				<b>{method}</b> <span class="request-path">{breakablePath(path)}</span>
			</span>
			<small>
				{VERDICTS[verdict]}
				{injectedNote} · {new Date(atMs).toLocaleTimeString()}
			</small>
		</>
	);
}

/** Lets long paths break between their parts. */
function breakablePath(path: string) {
	const parts = path.split(/(?<=[/?&])/);
	return parts.map((part, at) => [part, <wbr key={at} />]);
}

function GatewayLine({ record: { kind, event, atMs } }: { record: GatewayRecord }) {
	return (
		<>
			<span class="request-status" data-kind={kind} aria-hidden="true">
				{kind === "dispatch" ? "→" : "←"}
			</span>
			<b>{event}</b>
			<small>
				{DIRECTIONS[kind]} · {new Date(atMs).toLocaleTimeString()}
			</small>
		</>
	);
}

function RequestDetails({ record }: { record: RequestRecord }) {
	const { copy } = useApp();
	const { request, response, files, errors } = record;
	return (
		<>
			{errors.map((error) => (
				<p key={error} class="request-error">
					{error}
				</p>
			))}
			<LoggedBodyView title="Request" body={request} />
			{files.map(({ field, name, bytes }) => (
				<p key={field}>
					{field}: {name}, {bytes.toLocaleString()} bytes
				</p>
			))}
			<LoggedBodyView title="Response" body={response} />
			<Action label="Copy as curl" run={() => copy(curlCommand(record, location.origin))} />
		</>
	);
}

function LoggedBodyView({ title, body }: { title: string; body: LoggedBody | undefined }) {
	if (!body) return null;
	return (
		<>
			<h3>
				{title}
				{"json" in body ? "" : `, the start of ${body.bytes.toLocaleString()} bytes`}
			</h3>
			<pre class="request-json" tabIndex={0} role="group" aria-label={title}>
				{"json" in body ? JSON.stringify(body.json, null, 2) : body.text}
			</pre>
		</>
	);
}
