/** The admin panel: changes that Discord itself does not offer, and the requests of the bot. Polls the server only while the panel is open. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Action, type Change, Section } from "./admin-panel-fields.tsx";
import {
	ClockSection,
	FaultSection,
	GatewaySection,
	GuildSection,
	ShopSection,
	UserSection,
} from "./admin-panel-sections.tsx";
import { errorText } from "./api.ts";
import { useApp, usePage } from "./app-context.ts";
import type { AdminState, RequestList, RequestRecord } from "./contract.ts";

const POLL_MS = 1_000;
const REQUESTS_SHOWN_MAX = 200;
const VERDICTS = { valid: "valid", invalid: "not valid", unchecked: "not checked" } as const;

export function AdminPanel() {
	const { drawer, closeDrawer } = useApp();
	const wasOpened = useSignal(false);
	const isOpen = drawer.value === "admin";
	if (isOpen) wasOpened.value = true;
	return (
		<aside class="panel" aria-label="Admin panel">
			<header class="panel-head">
				<h2>Admin panel</h2>
				<Action label="Close" run={closeDrawer} />
			</header>
			<p class="panel-note">Changes that Discord itself does not offer. The bot sees only their effects.</p>
			{wasOpened.value && <Sections isOpen={isOpen} />}
		</aside>
	);
}

function Sections({ isOpen }: { isOpen: boolean }) {
	const { api, showToast } = useApp();
	const { guild, me } = usePage();
	const admin = api.admin(guild.id);
	const latest = useSignal<AdminState | null>(null);
	const state = latest.value?.guild.id === guild.id ? latest.value : null;

	usePoll(isOpen, guild.id, async (isCurrent) => {
		const next = await admin.state();
		if (isCurrent()) latest.value = next;
	});

	const change: Change = (action) => {
		action(admin).then(
			(next) => (latest.value = next),
			(error) => showToast(errorText(error)),
		);
	};
	return (
		<div class="panel-body" tabIndex={-1}>
			<RequestLog isOpen={isOpen} />
			{state && (
				<div key={`${guild.id} ${me.user.id}`} class="panel-sections">
					{[ClockSection, GatewaySection, FaultSection, GuildSection, UserSection, ShopSection].map(
						(SectionComponent, index) => (
							<SectionComponent key={index} state={state} change={change} />
						),
					)}
				</div>
			)}
			<div class="panel-line">
				<Action label="Reset everything" run={() => change(({ reset }) => reset())} />
			</div>
		</div>
	);
}

/** Calls `load` once a second while the component is mounted and `isActive`; starts again when `loadKey` changes. */
function usePoll(isActive: boolean, loadKey: string, load: (isCurrent: () => boolean) => Promise<void>): void {
	useEffect(() => {
		if (!isActive) return;
		let isCurrent = true;
		let timer: ReturnType<typeof setTimeout>;
		const poll = async (): Promise<void> => {
			// The banner of the page reports a playground that does not answer.
			await load(() => isCurrent).catch(() => undefined);
			if (isCurrent) timer = setTimeout(() => void poll(), POLL_MS);
		};
		void poll();
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	}, [isActive, loadKey]);
}

/** The requests of the bot, newest first, each with the verdict of Discord's schema. */
function RequestLog({ isOpen }: { isOpen: boolean }) {
	const { api } = useApp();
	const { guild } = usePage();
	const requests = useSignal<readonly RequestRecord[]>([]);
	const counts = useSignal<RequestList["counts"]>({ valid: 0, invalid: 0, unchecked: 0 });
	usePoll(isOpen, "", async (isCurrent) => {
		const page = await api.admin(guild.id).requests(requests.value[0]?.id ?? 0);
		if (!isCurrent()) return;
		counts.value = page.counts;
		if (page.requests.length > 0)
			requests.value = [...page.requests.toReversed(), ...requests.value].slice(0, REQUESTS_SHOWN_MAX);
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
	const injectedNote = isInjected ? ", response replaced by an injected fault" : "";
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
				{injectedNote} · {new Date(atMs).toLocaleTimeString()}
			</span>
			{errors.map((error) => (
				<span key={error} class="panel-fault">
					{error}
				</span>
			))}
		</li>
	);
}

function BreakablePath({ path }: { path: string }) {
	const parts = path.replace("%40original", "@original").split(/(?<=[/?&])/);
	return parts.map((part, index) => (
		<span key={index}>
			{part}
			<wbr />
		</span>
	));
}
