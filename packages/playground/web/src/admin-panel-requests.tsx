/** The requests of the bot, newest first, each with the verdict of Discord's schema. */
import { useSignal } from "@preact/signals";
import { Section } from "./admin-panel-fields.tsx";
import { useApp } from "./app-context.ts";
import type { RequestRecord, RequestList } from "./contract.ts";
import { usePoll } from "./use-poll.ts";

const SHOWN_MAX = 200;
const VERDICTS = { valid: "valid", invalid: "not valid", unchecked: "not checked" } as const;

export function RequestLog({ isOpen }: { isOpen: boolean }) {
	const { api } = useApp();
	const requests = useSignal<readonly RequestRecord[]>([]);
	const counts = useSignal<RequestList["counts"]>({ valid: 0, invalid: 0, unchecked: 0 });
	usePoll(isOpen, "", async (isCurrent) => {
		const seen = await api.admin.requests(requests.value[0]?.id ?? 0);
		if (!isCurrent()) return;
		counts.value = seen.counts;
		if (seen.requests.length > 0)
			requests.value = [...seen.requests.toReversed(), ...requests.value].slice(0, SHOWN_MAX);
	});

	const { valid, invalid, unchecked } = counts.value;
	return (
		<Section title="Requests of the bot">
			<p class={`panel-counts ${invalid > 0 ? "bad" : ""}`}>
				{valid} valid, {invalid} not valid, {unchecked} not checked
			</p>
			<ol class="panel-log" aria-label="Requests of the bot, newest first" tabIndex={0}>
				{requests.value.map((request) => (
					<Request key={request.id} request={request} />
				))}
			</ol>
		</Section>
	);
}

function Request({ request }: { request: RequestRecord }) {
	const { method, path, status, verdict, errors, isInjected, atMs } = request;
	const injected = isInjected ? ", injected" : "";
	return (
		<li data-verdict={verdict}>
			<span class="panel-status" data-bad={status === 0 || status >= 400 || undefined}>
				{status === 0 ? "cut" : status}
			</span>
			<b>{method}</b>{" "}
			<span class="panel-path" title={path}>
				<BreakablePath path={path} />
			</span>
			<span class="panel-verdict">
				{VERDICTS[verdict]}
				{injected} · {new Date(atMs).toLocaleTimeString()}
			</span>
			{errors.map((fault) => (
				<span key={fault} class="panel-fault">
					{fault}
				</span>
			))}
		</li>
	);
}

function BreakablePath({ path }: { path: string }) {
	const parts = path.replace("%40original", "@original").split(/(?<=[/?&])/);
	return parts.map((part, at) => (
		<span key={at}>
			{part}
			<wbr />
		</span>
	));
}
