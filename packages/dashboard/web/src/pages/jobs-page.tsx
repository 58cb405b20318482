/** The jobs of the server, with filters. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { JOB_FILTER_STATES, type JobFilterState } from "../../../src/schemas/jobs.ts";
import { useApp, useServer } from "../app-context.ts";
import { PageHead } from "../card.tsx";
import { SelectField, SignalField } from "../fields.tsx";
import { isRunning, JobList, readJobsEveryMs } from "../job-list.tsx";
import { MemberFilter } from "../member-filter.tsx";
import { PagedList, usePages, useReadEvery } from "../load-data.tsx";

export function JobsPage() {
	const { t, call, tabReturns } = useApp();
	const { params, directory, loadDirectory } = useServer();
	const state = useSignal<JobFilterState | "">("");
	const model = useSignal("");
	const userId = useSignal<string | null>(null);
	const from = useSignal("");
	const until = useSignal("");
	/** On a phone only: wider screens always show the filters. */
	const areFiltersShown = useSignal(false);
	// Without a directory the filter has no models.
	useEffect(() => void loadDirectory().catch(() => null), [tabReturns.value]);
	const pages = usePages(
		(before?: string) => {
			const filter = {
				state: state.value || undefined,
				model: model.value || undefined,
				userId: userId.value ?? undefined,
				fromMs: dayStartMs(from.value),
				untilMs: dayStartMs(until.value, 1),
			};
			return call("jobs", { params, query: { ...filter, before } });
		},
		[state.value, model.value, userId.value, from.value, until.value],
		isRunning,
	);
	useReadEvery(pages, readJobsEveryMs(pages.value?.items));
	const filterCount = [state, model, from, until, userId].filter(({ value }) => value !== "" && value !== null).length;
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "jobs" })} />
			<div class="card">
				<button
					type="button"
					class="button filters-toggle"
					aria-expanded={areFiltersShown.value}
					aria-controls="job-filters"
					onClick={() => (areFiltersShown.value = !areFiltersShown.value)}
				>
					{t("dashboard.filters")}
					{filterCount > 0 && ` (${filterCount})`}
				</button>
				<div id="job-filters" class={areFiltersShown.value ? "filters" : "filters folded"}>
					<SelectField<JobFilterState | "">
						label={t("dashboard.columnState")}
						value={state.value}
						options={[
							["", t("dashboard.all")],
							...JOB_FILTER_STATES.map(
								(each) => [each, each === "running" ? t("dashboard.running") : t(`state.${each}`)] as const,
							),
						]}
						onChange={(value) => (state.value = value)}
					/>
					<SelectField
						label={t("dashboard.columnModel")}
						value={model.value}
						options={[
							["", t("dashboard.all")],
							...(directory.value?.models ?? []).map(({ id, name }) => [id, name] as const),
						]}
						onChange={(value) => (model.value = value)}
					/>
					<SignalField label={t("dashboard.from")} type="date" text={from} />
					<SignalField label={t("dashboard.until")} type="date" text={until} />
					<MemberFilter userId={userId.value} onChange={(id) => (userId.value = id)} />
				</div>
				<PagedList pages={pages} empty={filterCount > 0 ? t("dashboard.jobsNone") : t("dashboard.jobsEmpty")}>
					{(items) => (
						<JobList jobs={items} actions={["cancel", "report", "delete", "refund"]} reload={pages.reload} asTiles />
					)}
				</PagedList>
			</div>
		</>
	);
}

/** Returns the beginning of a day such as `2026-11-20` in the reader's time zone, or of a later one; `undefined` for no day. */
function dayStartMs(day: string, daysLater = 0): number | undefined {
	const start = new Date(`${day}T00:00`);
	start.setDate(start.getDate() + daysLater);
	return Number.isNaN(start.getTime()) || start.getTime() < 0 ? undefined : start.getTime();
}
