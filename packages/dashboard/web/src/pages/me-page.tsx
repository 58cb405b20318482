/** The reader's own limits, jobs and data in a server. */
import { ApiError } from "../api-error.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, PageHead } from "../card.tsx";
import { ConfirmButton } from "../confirm-dialog.tsx";
import { DownloadLink } from "../download-link.tsx";
import { isRunning, JobList, readJobsEveryMs } from "../job-list.tsx";
import { LimitTile } from "../tiles.tsx";
import { Loaded, PagedList, usePages, useReadEvery, useResource } from "../load-data.tsx";

export function MePage() {
	const { t, call, formats } = useApp();
	const { params } = useServer();
	const account = useResource(() => call("ownAccount", { params }), []);
	const pages = usePages((before?: string) => call("ownJobs", { params, query: { before } }), [], isRunning);
	const readEveryMs = readJobsEveryMs(pages.value?.items);
	useReadEvery(account, readEveryMs);
	useReadEvery(pages, readEveryMs);
	const reload = (): void => {
		account.reload();
		pages.reload();
	};
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "me" })} />
			<div class="stack">
				<Loaded resource={account}>
					{({ limit, media, serverLimit, serverAvailableCredits }) => (
						<div class="tiles">
							<LimitTile title={t("dashboard.myLimit")} limit={limit} showsLeft />
							{media.map(({ mediaType, ...use }) => (
								<LimitTile key={mediaType} title={t("dashboard.myMediaLimit", { mediaType })} limit={use} showsLeft />
							))}
							{serverLimit && <LimitTile title={t("field.serverLimit")} limit={serverLimit} />}
							<Card title={t("dashboard.serverCredits")} class="tile">
								<p class="figure">{formats.number(serverAvailableCredits)}</p>
								<p class="figure-notes">{t("dashboard.serverCreditsNote")}</p>
							</Card>
						</div>
					)}
				</Loaded>
				<Card title={t("dashboard.myJobs")}>
					<PagedList pages={pages} empty={t("dashboard.jobsEmpty")}>
						{(items) => <JobList jobs={items} actions={["cancel", "delete"]} reload={reload} isOwn />}
					</PagedList>
				</Card>
				<DataCard reload={reload} />
			</div>
		</>
	);
}

function DataCard({ reload }: { readonly reload: () => void }) {
	const { t, call, notify } = useApp();
	const { params } = useServer();
	const remove = async (): Promise<void> => {
		try {
			const { unfinishedJobs } = await call("deleteOwnData", { params });
			notify(t("dashboard.dataDeleted", { jobs: unfinishedJobs }));
		} catch (cause) {
			// The bot's own text says what happened. A timeout or a proxy's response has none.
			if (cause instanceof ApiError && cause.message !== "") throw cause;
			throw new ApiError(null, "outcome_unknown", t("dashboard.dataDeletionUncertain"), { cause });
		}
	};
	return (
		<Card title={t("dashboard.myData")} lead={t("dashboard.myDataLead")}>
			<div class="form-foot start">
				<DownloadLink file="exportOwnData" input={{ params }}>
					{t("dashboard.download")}
				</DownloadLink>
				<ConfirmButton
					class="button danger"
					title={t("dashboard.deleteDataTitle")}
					text={t("dashboard.deleteDataText")}
					action={t("button.delete")}
					run={remove}
					reload={reload}
				/>
			</div>
		</Card>
	);
}
