/** The credits and the newest journal entries of one server. */
import { OpenServer, useApp, useMayWrite } from "../app-context.ts";
import { Callout, Card, PageHead } from "../card.tsx";
import { CreditForm } from "../credit-form.tsx";
import { EntryTable } from "../entry-table.tsx";
import { BalanceTile, SpentTile } from "../tiles.tsx";
import { Loaded, useResource } from "../load-data.tsx";
import { operatorPathOf } from "../routes.ts";

export function OperatorServerPage({ serverId }: { readonly serverId: string }) {
	const { t, call, serverContext } = useApp();
	const params = { server: serverId };
	const context = serverContext(serverId);
	const server = useResource(async () => {
		const read = await call("operatorServer", { params });
		context.names.learn(read.members);
		return read;
	}, []);
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
			<Loaded resource={server}>
				{(value) => (
					<div class="stack">
						{value.isPaused && <Callout kind="warning">{t("dashboard.pauseState", { isPaused: true })}</Callout>}
						<div class="columns">
							<BalanceTile balance={value.balance} />
							<SpentTile month={value.month} monthlyCredits={0} creditPrice={value.creditPrice}>
								<li>{t("dashboard.runningCount", { count: value.runningJobs })}</li>
							</SpentTile>
						</div>
						{mayWrite && (
							<CreditForm
								draft={context.creditDrafts.operator}
								title={t("dashboard.grantCredits")}
								kinds={["grant"]}
								send={(_kind, body) => call("operatorGrant", { params, body })}
								onChanged={server.reload}
							/>
						)}
						<Card title={t("dashboard.latestEntries")}>
							<OpenServer.Provider value={context}>
								<EntryTable caption={t("dashboard.latestEntries")} entries={value.entries} />
							</OpenServer.Provider>
						</Card>
					</div>
				)}
			</Loaded>
		</>
	);
}
