/** The API keys of the server. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import { KEY_NAME_CHARS_MAX } from "../../../src/form-limits.ts";
import type { ApiKeys } from "../../../src/schemas/api-keys.ts";
import { isOutcomeUnknown } from "../api-error.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, Time } from "../card.tsx";
import { TextField } from "../fields.tsx";
import { Icon } from "../icon.tsx";
import { MemberName } from "../member-name.tsx";
import { NewKey } from "../new-key.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, useAction, useResource } from "../load-data.tsx";
import { RevokeKey } from "../revoke-key.tsx";
import { Table } from "../table.tsx";

type Key = z.infer<typeof ApiKeys>["keys"][number];
type SetKeys = (keys: readonly Key[]) => void;

export function KeysPage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const keys = useResource<readonly Key[]>(async () => (await call("apiKeys", { params })).keys, []);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "keys" })} lead={t("dashboard.keysLead")}>
				<a class="button" href="/dashboard/api/openapi.json" target="_blank" rel="noreferrer">
					<Icon name="open" />
					{t("dashboard.keysApi")}
				</a>
			</PageHead>
			<div class="stack">
				<CreateCard onCreated={keys.set} onUncertain={keys.reload} />
				<Card title={t("dashboard.keysList")}>
					<Loaded resource={keys}>{(listed) => <KeyTable keys={listed} onChanged={keys.set} />}</Loaded>
				</Card>
			</div>
		</>
	);
}

interface CreateCardProps {
	readonly onCreated: SetKeys;
	/** Runs after a lost response: the key may be in the list. */
	readonly onUncertain: () => void;
}

function CreateCard({ onCreated, onUncertain }: CreateCardProps) {
	const { t, call, errorText } = useApp();
	const { params } = useServer();
	const name = useSignal("");
	const created = useSignal<string | null>(null);
	const isNameInvalid = useSignal(false);
	const creation = useAction();
	const create = async (): Promise<void> => {
		created.value = null;
		const { key, keys } = await call("createApiKey", { params, body: { name: name.value } }).catch((error: unknown) => {
			if (isOutcomeUnknown(error)) onUncertain();
			throw error;
		});
		created.value = key;
		name.value = "";
		onCreated(keys);
	};
	const submit = (event: Event): void => {
		event.preventDefault();
		isNameInvalid.value = !/[\p{L}\p{N}]/u.test(name.value);
		if (!isNameInvalid.value) void creation.run(create);
	};
	const failure = creation.error.value === null ? undefined : errorText(creation.error.value);
	return (
		<Card title={t("dashboard.keyCreate")}>
			<form class="form" noValidate onSubmit={submit}>
				<div class="field-row">
					<TextField
						label={t("dashboard.name")}
						hint={t("dashboard.keyNameHint")}
						value={name.value}
						maxLength={KEY_NAME_CHARS_MAX}
						error={isNameInvalid.value ? t("dashboard.keyNameInvalid") : failure}
						onInput={(typed) => (name.value = typed)}
					/>
					<button type="submit" class="button primary" disabled={creation.isBusy.value}>
						{t("dashboard.keyCreate")}
					</button>
				</div>
			</form>
			{created.value !== null && <NewKey text={created.value} />}
			<p class="hint">
				{t("dashboard.keysHow")} <code>Authorization: Bearer …</code>
			</p>
		</Card>
	);
}

function KeyTable({ keys, onChanged }: { readonly keys: readonly Key[]; readonly onChanged: SetKeys }) {
	const { t, call } = useApp();
	const { params } = useServer();
	if (keys.length === 0) return <p class="empty">{t("dashboard.keysEmpty")}</p>;
	const revoke = async ({ id }: Key): Promise<void> => {
		onChanged((await call("revokeApiKey", { params: { ...params, key: id } })).keys);
	};
	return (
		<Table
			caption={t("dashboard.keysList")}
			rows={keys}
			rowKey={({ id }) => id}
			columns={[
				{ title: t("dashboard.name"), cell: ({ name }) => name },
				{ title: t("dashboard.columnKey"), cell: ({ prefix }) => <code>{prefix}…</code> },
				{ title: t("dashboard.columnBy"), cell: ({ byUserId }) => <MemberName id={byUserId} /> },
				{ title: t("dashboard.columnCreated"), cell: ({ createdAtMs }) => <Time atMs={createdAtMs} /> },
				{
					title: t("dashboard.columnLastUsed"),
					cell: ({ lastUsedAtMs }) => (lastUsedAtMs === null ? t("dashboard.keyUnused") : <Time atMs={lastUsedAtMs} />),
				},
				{
					title: t("dashboard.columnAction"),
					cell: (key) => <RevokeKey name={key.name} revoke={() => revoke(key)} />,
				},
			]}
		/>
	);
}
