import type { History } from "../../src/schemas/credits.ts";
import { useApp } from "./app-context.ts";
import { Time } from "./card.tsx";
import { Author } from "./member-name.tsx";
import { Table } from "./table.tsx";

type Entry = History["items"][number];

/** Entries of the journal of a server's credits. A hold shows its amount beside its kind, because it leaves the credits as they are. */
export function EntryTable({ caption, entries }: { readonly caption: string; readonly entries: readonly Entry[] }) {
	const { t, formats } = useApp();
	return (
		<div class="entries">
			<Table
				caption={caption}
				rows={entries}
				rowKey={({ seq }) => seq}
				columns={[
					{ title: t("dashboard.columnTime"), cell: ({ atMs }) => <Time atMs={atMs} text={formats.moment(atMs)} /> },
					{
						title: t("dashboard.kind"),
						cell: ({ kind, amountCredits, changeCredits }) =>
							t("dashboard.entryKind", { kind }) + (changeCredits === 0 ? ` · ${formats.number(amountCredits)}` : ""),
					},
					{ title: t("dashboard.columnBy"), cell: (entry) => <Author {...entry} /> },
					{ title: t("dashboard.reason"), cell: ({ model, reason }) => model ?? reason },
					{
						title: t("dashboard.columnCredits"),
						isNumber: true,
						cell: ({ changeCredits }) => formats.signed(changeCredits),
					},
					{
						title: t("dashboard.columnBalance"),
						isNumber: true,
						cell: ({ postedAfterCredits }) => formats.number(postedAfterCredits),
					},
				]}
			/>
		</div>
	);
}
