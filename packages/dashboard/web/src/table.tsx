/**
 * A table. With five columns or more it becomes a list of labeled values on a phone, where the roles keep it a table for screen
 * readers.
 */
import type { ComponentChildren } from "preact";
import { useApp } from "./app-context.ts";

interface Column<Row> {
	readonly title: string;
	readonly isNumber?: boolean;
	readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
	readonly caption: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	readonly rowKey: (row: Row) => string | number;
	/** Becomes a list on a phone with fewer than five columns, too. */
	readonly isStacked?: boolean;
}

export function Table<Row>({ caption, columns, rows, rowKey, isStacked = false }: TableProps<Row>) {
	const { t } = useApp();
	if (rows.length === 0) return <p class="empty">{t("dashboard.tableEmpty")}</p>;
	return (
		<table role="table" class={isStacked ? "table stacked" : "table"}>
			<caption class="sr-only">{caption}</caption>
			<thead role="rowgroup">
				<tr role="row">
					{columns.map(({ title, isNumber }) => (
						<th key={title} role="columnheader" scope="col" class={isNumber ? "number" : ""}>
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody role="rowgroup">
				{rows.map((row) => (
					<tr key={rowKey(row)} role="row">
						{columns.map(({ title, isNumber, cell }) => (
							<td key={title} role="cell" data-label={title} class={isNumber ? "number" : ""}>
								{cell(row)}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
