/** The jobs of the server, with filters. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { JOB_STATES, type Job } from "../../../src/schemas.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card } from "../card.tsx";
import { SelectField } from "../fields.tsx";
import { JobList } from "../job-list.tsx";
import { MemberFilter } from "../member-filter.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, MoreButton, usePages } from "../resource.tsx";

type State = (typeof JOB_STATES)[number];

export function JobsPage() {
	const { t, call } = useApp();
	const { params, directory, loadDirectory } = useServer();
	const state = useSignal<State | "">("");
	const model = useSignal("");
	const userId = useSignal<string | null>(null);
	// Without a directory the filter has no models.
	useEffect(() => void loadDirectory().catch(() => null), []);
	const pages = usePages<Job, string>(
		async (before) => {
			const filter = {
				state: state.value || undefined,
				model: model.value || undefined,
				userId: userId.value ?? undefined,
			};
			const { jobs, nextBefore } = await call("jobs", { params, query: { ...filter, before } });
			return { items: jobs, nextBefore };
		},
		[state.value, model.value, userId.value],
	);
	const isFiltered = state.value !== "" || model.value !== "" || userId.value !== null;
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "jobs" })} />
			<Card title={t("dashboard.jobsNewest")}>
				<div class="filters">
					<SelectField<State | "">
						label={t("dashboard.columnState")}
						value={state.value}
						options={[
							["", t("dashboard.all")],
							...JOB_STATES.map((each) => [each, t("dashboard.jobState", { state: each })] as const),
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
					<MemberFilter userId={userId.value} onChange={(id) => (userId.value = id)} />
				</div>
				<Loaded resource={pages} lines={8}>
					{({ items }) =>
						items.length === 0 ? (
							<p class="empty">{isFiltered ? t("dashboard.jobsNone") : t("dashboard.jobsEmpty")}</p>
						) : (
							<JobList jobs={items} actions={["cancel", "delete", "refund"]} onChanged={pages.reload} />
						)
					}
				</Loaded>
				<MoreButton pages={pages} />
			</Card>
		</>
	);
}
