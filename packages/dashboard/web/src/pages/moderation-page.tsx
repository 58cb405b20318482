/** Pausing, the word filter, flagged content, and blocked members. */
import { useSignal } from "@preact/signals";
import { FILTER_TEST_CHARS_MAX, PATTERN_CHARS_MAX, PATTERNS_MAX, PAUSE_CHARS_MAX } from "../../../src/limits.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES } from "../../../src/server-settings.ts";
import { BlocksCard } from "../blocks-card.tsx";
import { useAccess, useApp, useServer } from "../app-context.ts";
import { Callout, Card, PageHead } from "../card.tsx";
import { Chip, SelectField, SignalField, UnlessFull } from "../fields.tsx";
import { Form, SubmitButton } from "../form.tsx";
import { SettingsForm, useSettings } from "../settings-form.tsx";
import { useAction } from "../use-action.ts";

export function ModerationPage() {
	const { t } = useApp();
	const access = useAccess();
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "moderation" })} />
			<div class="stack">
				{access === "manager" && (
					<SettingsForm>
						<div class="columns">
							<PauseCard />
							<FilterCard />
							<SafetyCard />
						</div>
					</SettingsForm>
				)}
				<BlocksCard />
			</div>
		</>
	);
}

/** Pausing is saved at once, without the unsaved changes of other settings. */
function PauseCard() {
	const { t, notify } = useApp();
	const { paused } = useSettings().settings.access;
	const { settingsStore } = useServer();
	const { run } = useAction();
	const note = useSignal("");
	const set = async (next: typeof paused): Promise<void> => {
		await settingsStore.saveOnly((saved) => ({ ...saved, access: { ...saved.access, paused: next } }));
		notify(t("dashboard.pauseState", { isPaused: next !== null }));
		note.value = "";
	};
	const toggle = (): void => {
		if (!settingsStore.isSaving.value) void run(() => set(paused ? null : { message: note.value.trim() || null }));
	};
	return (
		<Card title={t("field.paused")} lead={t("dashboard.pauseLead")}>
			{paused ? (
				<Callout kind="warning">
					<p>{t("dashboard.pauseState", { isPaused: true })}</p>
					{paused.message !== null && <p class="quote">{paused.message}</p>}
				</Callout>
			) : (
				<SignalField
					label={t("dashboard.pauseMessage")}
					hint={t("dashboard.pauseMessageHint")}
					chars={[0, PAUSE_CHARS_MAX]}
					text={note}
				/>
			)}
			<button
				type="button"
				class={paused ? "button primary" : "button danger"}
				aria-disabled={settingsStore.isSaving.value}
				onClick={toggle}
			>
				{t("dashboard.pauseVerb", { isPaused: paused !== null })}
			</button>
		</Card>
	);
}

function SafetyCard() {
	const { t, formats } = useApp();
	const { settings, directory, set } = useSettings();
	if (!directory.hasModeration) return null;
	return (
		<Card title={t("dashboard.safety")} lead={t("dashboard.safetyLead")}>
			<div class="group-fields">
				{CATEGORIES.map((category) => (
					<SelectField
						key={category}
						label={formats.capitalized(t(`category.${category}`))}
						value={settings.safety[category]}
						options={CATEGORY_RULE_VALUES.map((rule) => [rule, formats.capitalized(t(`categoryRule.${rule}`))])}
						onChange={(rule) => set(["safety", category], rule)}
					/>
				))}
			</div>
		</Card>
	);
}

function FilterCard() {
	const { t } = useApp();
	const { settings, set } = useSettings();
	const { patterns } = settings.filter;
	const typed = useSignal("");
	const add = (): void => {
		const pattern = typed.value.trim();
		if (!patterns.includes(pattern)) set(["filter", "patterns"], [...patterns, pattern]);
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
							onRemove={() =>
								set(
									["filter", "patterns"],
									patterns.filter((each) => each !== pattern),
								)
							}
						/>
					))}
				</ul>
			)}
			<UnlessFull count={patterns.length} max={PATTERNS_MAX}>
				<Form class="field-row" run={add}>
					<SignalField label={t("dashboard.addPattern")} chars={[1, PATTERN_CHARS_MAX]} text={typed} />
					<SubmitButton>{t("dashboard.add")}</SubmitButton>
				</Form>
			</UnlessFull>
			<FilterTest patterns={patterns} />
		</Card>
	);
}

/** Tests a prompt against the patterns, also the unsaved ones. */
function FilterTest({ patterns }: { readonly patterns: readonly string[] }) {
	const { t, call } = useApp();
	const { params } = useServer();
	const text = useSignal("");
	const body = { text: text.value, patterns: [...patterns] };
	const question = JSON.stringify(body);
	const verdict = useSignal({ question: "", text: "" });
	const test = async (): Promise<void> => {
		const { pattern } = await call("testFilter", { params, body });
		verdict.value = {
			question,
			text: pattern === null ? t("filter.passed") : t("dashboard.filterBlocked", { pattern }),
		};
	};
	return (
		<>
			<Form class="field-row" run={test}>
				<SignalField label={t("dashboard.filterTest")} chars={[1, FILTER_TEST_CHARS_MAX]} text={text} />
				<SubmitButton>{t("dashboard.test")}</SubmitButton>
			</Form>
			<p class="verdict" role="status">
				{verdict.value.question === question && verdict.value.text}
			</p>
		</>
	);
}
