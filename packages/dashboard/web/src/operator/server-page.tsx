/** The credits and the newest journal entries of one server. */
import type { z } from "zod";
import type { OperatorServer } from "../../../src/schemas/operator.ts";
import { BalanceFigures } from "../balance-figures.tsx";
import { useApp, useMayWrite } from "../app-context.ts";
import { Callout, Card, SpentTile, Time } from "../card.tsx";
import { EntryCredits } from "../entry-credits.tsx";
import { CreditForm } from "../credit-form.tsx";
import { Author } from "../member-name.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, useResource } from "../load-data.tsx";
import { operatorPathOf } from "../routes.ts";
import { Table } from "../table.tsx";

type Server = z.infer<typeof OperatorServer>;

export function OperatorServerPage({ serverId }: { readonly serverId: string }) {
	const { t, call } = useApp();
	const params = { server: serverId };
	const server = useResource(() => call("operatorServer", { params }), []);
	const mayWrite = useMayWrite();
	return (
		<>
			<PageHead
				title={server.value ? (server.value.name ?? t("dashboard.serverUnknown")) : t("dashboard.server")}
				lead={serverId}
			>
				<a class="button" href={operatorPathOf("servers")}>
					{t("dashboard.operatorPage", { page: "servers" })}
				</a>
			</PageHead>
			<Loaded resource={server} lines={8}>
				{(value) => (
					<div class="stack">
						{value.isPaused && <Callout kind="warning">{t("dashboard.pauseState", { isPaused: true })}</Callout>}
						<div class="columns">
							<Card title={t("dashboard.creditsLeft")} class="tile">
								<BalanceFigures balance={value.balance} />
							</Card>
							<SpentTile month={value.month} monthlyCredits={0} creditPrice={value.creditPrice}>
								<li>{t("dashboard.runningCount", { count: value.runningJobs })}</li>
							</SpentTile>
						</div>
						{mayWrite && (
							<CreditForm
								title={t("dashboard.grantCredits")}
								kinds={["grant"]}
								send={(_kind, body) => call("operatorGrant", { params, body })}
								onChanged={server.reload}
							/>
						)}
						<EntriesCard entries={value.entries} />
					</div>
				)}
			</Loaded>
		</>
	);
}

function EntriesCard({ entries }: { readonly entries: Server["entries"] }) {
	const { t } = useApp();
	return (
		<Card title={t("dashboard.latestEntries")}>
			<Table
				caption={t("dashboard.latestEntries")}
				rows={entries}
				rowKey={({ seq }) => seq}
				columns={[
					{ title: t("dashboard.columnTime"), cell: ({ atMs }) => <Time atMs={atMs} /> },
					{ title: t("dashboard.kind"), cell: ({ kind }) => t("dashboard.entryKind", { kind }) },
					{
						title: t("dashboard.columnBy"),
						cell: (entry) => entry.userId ?? <Author {...entry} />,
					},
					{ title: t("dashboard.reason"), cell: ({ reason }) => reason },
					{
						title: t("dashboard.columnCredits"),
						isNumber: true,
						cell: (entry) => <EntryCredits {...entry} />,
					},
				]}
			/>
		</Card>
	);
}
