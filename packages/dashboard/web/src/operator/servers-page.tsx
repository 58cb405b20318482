/** All servers that used the bot, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SERVER_SEARCH_CHARS_MAX } from "../../../src/limits.ts";
import type { OperatorServers } from "../../../src/schemas/operator.ts";
import { useApp } from "../app-context.ts";
import { Card, PageHead } from "../card.tsx";
import { SignalField } from "../fields.tsx";
import { PagedList, usePages } from "../load-data.tsx";
import { operatorPathOf } from "../routes.ts";
import { runLater } from "../run-later.ts";
import { Table } from "../table.tsx";

type Server = OperatorServers["items"][number];

/** Waits for the end of typing. */
const SEARCH_AFTER_MS = 300;

export function OperatorServersPage() {
	const { t, call, formats } = useApp();
	const typed = useSignal("");
	const search = useSignal("");
	useEffect(() => runLater(() => (search.value = typed.value.trim()), SEARCH_AFTER_MS), [typed.value]);
	const pages = usePages(
		(after?: string) => call("operatorServers", { query: { search: search.value || undefined, after } }),
		[search.value],
	);
	const price = pages.value?.creditPrice ?? null;
	return (
		<>
			<PageHead title={t("dashboard.operatorPage", { page: "servers" })} lead={t("dashboard.operatorServersLead")} />
			<Card title={t("dashboard.servers")}>
				<div class="filters">
					<SignalField
						label={t("dashboard.searchServer")}
						hint={t("dashboard.searchServerHint")}
						chars={[0, SERVER_SEARCH_CHARS_MAX]}
						text={typed}
					/>
				</div>
				{pages.value?.areNamesKnown === false && <p class="hint">{t("dashboard.serverNamesUnknown")}</p>}
				<PagedList pages={pages} empty={t("dashboard.serversNone")}>
					{(items) => (
						<Table
							caption={t("dashboard.servers")}
							rows={items}
							rowKey={({ id }) => id}
							isStacked
							columns={[
								{
									title: t("dashboard.server"),
									cell: ({ id, name }) => (
										<div>
											<a href={operatorPathOf("servers", id)}>{name ?? t("dashboard.serverUnknown")}</a>
											<p class="hint">{id}</p>
										</div>
									),
								},
								{
									title: t("dashboard.creditsLeft"),
									isNumber: true,
									cell: ({ availableCredits }) => formats.number(availableCredits),
								},
								{
									title: t("dashboard.spentThisMonth"),
									isNumber: true,
									cell: ({ spentCredits }) => formats.number(spentCredits),
								},
								...(price === null
									? []
									: [
											{
												title: t("dashboard.cost"),
												isNumber: true,
												cell: ({ spentCredits }: Server) => formats.money(spentCredits * price.amount, price.currency),
											},
										]),
							]}
						/>
					)}
				</PagedList>
			</Card>
		</>
	);
}
