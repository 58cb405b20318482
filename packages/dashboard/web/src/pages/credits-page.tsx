/** The balance of the server, grants and revocations, and their journal. */
import { useSignal } from "@preact/signals";
import { ENTRY_KINDS } from "../../../src/schemas/credits.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, PageHead } from "../card.tsx";
import { CreditForm } from "../credit-form.tsx";
import { DownloadLink } from "../download-link.tsx";
import { EntryTable } from "../entry-table.tsx";
import { SelectField } from "../fields.tsx";
import { MemberFilter } from "../member-filter.tsx";
import { BalanceTile } from "../tiles.tsx";
import { Loaded, PagedList, usePages, useResource } from "../load-data.tsx";

type Kind = (typeof ENTRY_KINDS)[number];

export function CreditsPage() {
	const { t, call } = useApp();
	const { params, creditDrafts } = useServer();
	const changes = useSignal(0);
	const overview = useResource(() => call("overview", { params }), []);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "credits" })} />
			<div class="stack">
				<Loaded resource={overview}>
					{(value) => (
						<div class="columns">
							<BalanceTile balance={value.balance} creditPrice={value.creditPrice} />
							<CreditForm
								draft={creditDrafts.manager}
								title={t("dashboard.changeCredits")}
								kinds={value.mayGrant ? ["grant", "revoke"] : ["revoke"]}
								send={(kind, body) => call(kind, { params, body })}
								onChanged={(balance) => {
									overview.set({ ...value, balance });
									changes.value += 1;
								}}
							/>
						</div>
					)}
				</Loaded>
				<HistoryCard changes={changes.value} />
			</div>
		</>
	);
}

/** `changes`: the journal is read again when it grows. */
function HistoryCard({ changes }: { readonly changes: number }) {
	const { t, call } = useApp();
	const { params } = useServer();
	const kind = useSignal<Kind | "">("");
	const userId = useSignal<string | null>(null);
	const filter = { kind: kind.value || undefined, userId: userId.value ?? undefined };
	const pages = usePages(
		(before?: number) => call("history", { params, query: { ...filter, before } }),
		[kind.value, userId.value, changes],
	);
	return (
		<Card
			title={t("dashboard.history")}
			tools={
				<DownloadLink class="button small" file="historyCsv" input={{ params, query: filter }}>
					{t("dashboard.csv")}
				</DownloadLink>
			}
		>
			<div class="filters">
				<SelectField<Kind | "">
					label={t("dashboard.kind")}
					value={kind.value}
					options={[
						["", t("dashboard.all")],
						...ENTRY_KINDS.map((each) => [each, t("dashboard.entryKind", { kind: each })] as const),
					]}
					onChange={(value) => (kind.value = value)}
				/>
				<MemberFilter userId={userId.value} onChange={(id) => (userId.value = id)} />
			</div>
			<PagedList pages={pages} empty={t("dashboard.historyEmpty")}>
				{(items) => <EntryTable caption={t("dashboard.history")} entries={items} />}
			</PagedList>
		</Card>
	);
}
