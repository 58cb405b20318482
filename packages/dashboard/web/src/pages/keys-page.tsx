/** The API keys of the server. */
import { KEY_NAME_CHARS_MAX } from "../../../src/limits.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, PageHead, Time } from "../card.tsx";
import { Icon } from "../icon.tsx";
import { CreateKey, RevokeKey } from "../key-forms.tsx";
import { MemberName } from "../member-name.tsx";
import { Loaded, useResource } from "../load-data.tsx";
import { Table } from "../table.tsx";

export function KeysPage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const keys = useResource(async () => (await call("apiKeys", { params })).keys, []);
	const create = async (name: string): Promise<string> => {
		const created = await call("createApiKey", { params, body: { name } });
		keys.set(created.keys);
		return created.key;
	};
	const revoke = async (key: string): Promise<void> => {
		keys.set((await call("revokeApiKey", { params: { ...params, key } })).keys);
	};
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "keys" })} lead={t("dashboard.keysLead")}>
				<a class="button" href="/dashboard/api/openapi.json" target="_blank" rel="noreferrer">
					<Icon name="open" />
					{t("dashboard.keysApi")}
				</a>
			</PageHead>
			<div class="stack">
				<CreateKey nameCharsMax={KEY_NAME_CHARS_MAX} create={create} onUncertain={keys.reload}>
					<p class="hint">
						{t("dashboard.keysHow")} <code>Authorization: Bearer …</code>
					</p>
				</CreateKey>
				<Card title={t("dashboard.keysList")}>
					<Loaded resource={keys}>
						{(listed) =>
							listed.length === 0 ? (
								<p class="empty">{t("dashboard.keysEmpty")}</p>
							) : (
								<Table
									caption={t("dashboard.keysList")}
									rows={listed}
									rowKey={({ id }) => id}
									columns={[
										{ title: t("dashboard.name"), cell: ({ name }) => name },
										{ title: t("dashboard.columnKey"), cell: ({ prefix }) => <code>{prefix}…</code> },
										{ title: t("dashboard.columnBy"), cell: ({ byUserId }) => <MemberName id={byUserId} /> },
										{ title: t("dashboard.columnCreated"), cell: ({ createdAtMs }) => <Time atMs={createdAtMs} /> },
										{
											title: t("dashboard.columnLastUsed"),
											cell: ({ lastUsedAtMs }) =>
												lastUsedAtMs === null ? t("dashboard.keyUnused") : <Time atMs={lastUsedAtMs} />,
										},
										{
											title: t("dashboard.columnAction"),
											cell: ({ id, name }) => <RevokeKey name={name} revoke={() => revoke(id)} />,
										},
									]}
								/>
							)
						}
					</Loaded>
				</Card>
			</div>
		</>
	);
}
