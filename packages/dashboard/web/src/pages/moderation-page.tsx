/** Pausing, blocked members, and the word filter. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import { FILTER_TEST_CHARS_MAX, type Blocks } from "../../../src/schemas.ts";
import { useApp, useServer } from "../app-context.ts";
import { Callout, Card, MemberName, Time } from "../card.tsx";
import { Confirm } from "../confirm.tsx";
import { Chip, MemberField, SelectField, TextField } from "../fields.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, useResource, type Resource } from "../resource.tsx";
import { SettingsForm, type FormProps } from "../settings-form.tsx";
import { useKnownMembers } from "./limits-page.tsx";

type BlockList = z.infer<typeof Blocks>;
type Block = BlockList["blocks"][number];

const NOTE_CHARS_MAX = 200;
const PATTERN_CHARS_MAX = 64;
const HOUR_MS = 3_600_000;
const DURATIONS = {
	hour: HOUR_MS,
	day: 24 * HOUR_MS,
	week: 7 * 24 * HOUR_MS,
	month: 30 * 24 * HOUR_MS,
	ever: null,
} as const;
type Duration = keyof typeof DURATIONS;

export function ModerationPage() {
	const { t } = useApp();
	useKnownMembers();
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "moderation" })} />
			<div class="stack">
				<SettingsForm>
					{(form) => (
						<div class="columns">
							<PauseCard {...form} />
							<FilterCard {...form} />
						</div>
					)}
				</SettingsForm>
				<BlocksCard />
			</div>
		</>
	);
}

/** Pausing is saved at once, without the unsaved changes of other settings. */
function PauseCard({ settings: { access } }: FormProps) {
	const { t, notify, errorText } = useApp();
	const { settings } = useServer();
	const note = useSignal("");
	const { paused } = access;
	const set = async (next: typeof paused): Promise<void> => {
		try {
			await settings.saveOnly((saved) => ({ ...saved, access: { ...saved.access, paused: next } }));
			notify(t("dashboard.pauseState", { isPaused: next !== null }));
			note.value = "";
		} catch (error) {
			notify(errorText(error), true);
		}
	};
	const toggle = (): void => void set(paused ? null : { message: note.value.trim() || null });
	return (
		<Card title={t("dashboard.pause")} lead={t("dashboard.pauseLead")}>
			{paused ? (
				<Callout kind="warning">
					<p>{t("dashboard.pauseState", { isPaused: true })}</p>
					{paused.message !== null && <p class="quote">{paused.message}</p>}
				</Callout>
			) : (
				<TextField
					label={t("dashboard.pauseMessage")}
					hint={t("dashboard.pauseMessageHint")}
					maxLength={NOTE_CHARS_MAX}
					value={note.value}
					onInput={(typed) => (note.value = typed)}
				/>
			)}
			<button
				type="button"
				class={paused ? "button primary" : "button danger"}
				disabled={settings.isSaving.value}
				onClick={toggle}
			>
				{t("dashboard.pauseVerb", { isPaused: paused !== null })}
			</button>
		</Card>
	);
}

function FilterCard({ settings: { filter }, update }: FormProps) {
	const { t } = useApp();
	const typed = useSignal("");
	const { patterns } = filter;
	const add = (): void => {
		const pattern = typed.value.trim();
		if (pattern === "") return;
		if (!patterns.includes(pattern)) update({ filter: { ...filter, patterns: [...patterns, pattern] } });
		typed.value = "";
	};
	return (
		<Card title={t("dashboard.wordFilter")} lead={t("dashboard.wordFilterLead")}>
			{patterns.length === 0 ? (
				<p class="empty">{t("dashboard.wordFilterEmpty")}</p>
			) : (
				<ul class="chips">
					{patterns.map((pattern) => (
						<Chip
							key={pattern}
							name={pattern}
							onRemove={() => update({ filter: { ...filter, patterns: patterns.filter((each) => each !== pattern) } })}
						/>
					))}
				</ul>
			)}
			<div class="field-row">
				<TextField
					label={t("dashboard.addPattern")}
					maxLength={PATTERN_CHARS_MAX}
					value={typed.value}
					onInput={(text) => (typed.value = text)}
					onEnter={add}
				/>
				<button type="button" class="button" onClick={add}>
					{t("dashboard.add")}
				</button>
			</div>
			<FilterTest patterns={patterns} />
		</Card>
	);
}

/** Tests a prompt against the patterns, also the unsaved ones. */
function FilterTest({ patterns }: { readonly patterns: readonly string[] }) {
	const { t, call, errorText } = useApp();
	const { params } = useServer();
	const text = useSignal("");
	const verdict = useSignal("");
	const test = async (): Promise<void> => {
		try {
			const body = { text: text.value, patterns: [...patterns] };
			const { pattern } = await call("testFilter", { params, body });
			verdict.value = pattern === null ? t("dashboard.filterPassed") : t("dashboard.filterBlocked", { pattern });
		} catch (error) {
			verdict.value = errorText(error);
		}
	};
	return (
		<>
			<div class="field-row">
				<TextField
					label={t("dashboard.filterTest")}
					maxLength={FILTER_TEST_CHARS_MAX}
					value={text.value}
					onInput={(typed) => {
						text.value = typed;
						verdict.value = "";
					}}
					onEnter={() => void test()}
				/>
				<button type="button" class="button" onClick={() => void test()}>
					{t("dashboard.test")}
				</button>
			</div>
			<p class="verdict" role="status">
				{verdict.value}
			</p>
		</>
	);
}

function BlocksCard() {
	const { t, call } = useApp();
	const { params } = useServer();
	const blocks = useResource(() => call("blocks", { params }), []);
	return (
		<Card title={t("dashboard.blockedMembers")} lead={t("dashboard.blockedLead")}>
			<Loaded resource={blocks}>{(value) => <BlockRows blocks={value.blocks} resource={blocks} />}</Loaded>
			<BlockForm onBlocked={blocks.set} />
		</Card>
	);
}

interface BlockRowsProps {
	readonly blocks: readonly Block[];
	readonly resource: Resource<BlockList>;
}

function BlockRows({ blocks, resource }: BlockRowsProps) {
	const { t, call, formats, notify } = useApp();
	const { params, names } = useServer();
	const asked = useSignal<Block | null>(null);
	const nameOf = (id: string): string => names.known.value.get(id)?.name ?? id;
	const unblock = async (userId: string): Promise<void> => {
		resource.set(await call("unblock", { params: { ...params, member: userId } }));
		notify(t("dashboard.unblocked", { name: nameOf(userId) }));
	};
	if (blocks.length === 0) return <p class="empty">{t("dashboard.blockedEmpty")}</p>;
	return (
		<>
			<ul class="rows">
				{blocks.map((block) => (
					<li key={block.userId} class="row">
						<div class="row-name">
							<MemberName id={block.userId} withAvatar />
							<p class="facts">
								<span>{block.reason}</span>
								<span>
									{block.untilMs === null
										? t("dashboard.blockedForEver")
										: t("dashboard.blockedUntil", { date: formats.moment(block.untilMs) })}
								</span>
								<span>
									<Time atMs={block.atMs} /> · <MemberName id={block.byUserId} />
								</span>
							</p>
						</div>
						<button type="button" class="button small" onClick={() => (asked.value = block)}>
							{t("dashboard.unblock")}
						</button>
					</li>
				))}
			</ul>
			{asked.value && (
				<Confirm
					title={t("dashboard.unblockTitle", { name: nameOf(asked.value.userId) })}
					text={t("dashboard.unblockText")}
					action={t("dashboard.unblock")}
					run={() => unblock(asked.value?.userId ?? "")}
					onClose={() => (asked.value = null)}
				/>
			)}
		</>
	);
}

function BlockForm({ onBlocked }: { readonly onBlocked: (blocks: BlockList) => void }) {
	const { t, call, notify, errorText } = useApp();
	const { params, names } = useServer();
	const reason = useSignal("");
	const duration = useSignal<Duration>("week");
	const isReasonMissing = useSignal(false);
	const block = async (userId: string): Promise<void> => {
		const durationMs = DURATIONS[duration.value];
		try {
			const body = { reason: reason.value.trim(), untilMs: durationMs === null ? null : Date.now() + durationMs };
			onBlocked(await call("block", { params: { ...params, member: userId }, body }));
			notify(t("dashboard.blocked", { name: names.known.value.get(userId)?.name ?? userId }));
			reason.value = "";
		} catch (error) {
			notify(errorText(error), true);
		}
	};
	return (
		<div class="form block-form">
			<div class="field-row">
				<TextField
					label={t("dashboard.reason")}
					hint={t("dashboard.blockReasonHint")}
					maxLength={NOTE_CHARS_MAX}
					value={reason.value}
					error={isReasonMissing.value ? t("dashboard.reasonInvalid", { min: 1, max: NOTE_CHARS_MAX }) : undefined}
					onInput={(typed) => {
						reason.value = typed;
						isReasonMissing.value = false;
					}}
				/>
				<SelectField<Duration>
					label={t("dashboard.blockDuration")}
					value={duration.value}
					options={(Object.keys(DURATIONS) as Duration[]).map((each) => [
						each,
						t("dashboard.duration", { duration: each }),
					])}
					onChange={(value) => (duration.value = value)}
				/>
			</div>
			<MemberField
				label={t("dashboard.columnMember")}
				hint={t("dashboard.memberHint")}
				action={t("dashboard.block")}
				canSubmit={() => !(isReasonMissing.value = reason.value.trim() === "")}
				onMember={(id) => void block(id)}
			/>
		</div>
	);
}
