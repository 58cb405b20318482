/** The accounts and keys of the built-in studio. */
import { useSignal } from "@preact/signals";
import { STUDIO_KEY_NAME_CHARS_MAX } from "../../../src/limits.ts";
import { ACCOUNT_NAME, type OperatorStudio } from "../../../src/schemas/operator.ts";
import { useApp, useMayWrite } from "../app-context.ts";
import { Card, PageHead, Time } from "../card.tsx";
import { SignalField } from "../fields.tsx";
import { CreateKey, RevokeKey } from "../key-forms.tsx";
import { Loaded, useResource, type Resource } from "../load-data.tsx";
import { Table } from "../table.tsx";

type Account = OperatorStudio["accounts"][number];
type Key = Account["keys"][number];

export function StudioPage() {
	const { t, call } = useApp();
	const mayWrite = useMayWrite();
	const studio = useResource(() => call("operatorStudio"), []);
	return (
		<>
			<PageHead title={t("dashboard.operatorPage", { page: "studio" })} lead={t("dashboard.studioLead")} />
			<Loaded resource={studio}>
				{({ isBuiltIn, accounts }) =>
					isBuiltIn ? (
						<div class="stack">
							{mayWrite && <CreateCard studio={studio} />}
							{accounts.length === 0 && <p class="empty">{t("dashboard.accountsEmpty")}</p>}
							{accounts.map((account) => (
								<AccountCard
									key={account.account}
									account={account}
									mayRevoke={mayWrite && !account.isInternal}
									onChanged={studio.set}
								/>
							))}
						</div>
					) : (
						<p class="empty">{t("dashboard.studioElsewhere")}</p>
					)
				}
			</Loaded>
		</>
	);
}

function CreateCard({ studio }: { readonly studio: Resource<OperatorStudio> }) {
	const { t, call } = useApp();
	const account = useSignal("");
	const create = async (name: string): Promise<string> => {
		const { key, ...changed } = await call("createStudioKey", { body: { account: account.value, name } });
		studio.set(changed);
		return key;
	};
	return (
		<CreateKey
			nameCharsMax={STUDIO_KEY_NAME_CHARS_MAX}
			create={create}
			onUncertain={studio.reload}
			field={
				<SignalField
					label={t("dashboard.columnAccount")}
					hint={t("dashboard.accountHint")}
					text={account}
					problem={ACCOUNT_NAME.test(account.value) ? undefined : t("dashboard.accountInvalid")}
				/>
			}
		/>
	);
}

interface AccountCardProps {
	readonly account: Account;
	readonly mayRevoke: boolean;
	readonly onChanged: (studio: OperatorStudio) => void;
}

function AccountCard({ account, mayRevoke, onChanged }: AccountCardProps) {
	const { t, call } = useApp();
	const revoke = async ({ id }: Key): Promise<void> => {
		onChanged(await call("revokeStudioKey", { params: { key: id } }));
	};
	return (
		<Card
			title={account.account}
			lead={t("credits.amount", { credits: account.availableCredits })}
			tools={account.isInternal && <span class="badge">{t("dashboard.accountInternal")}</span>}
		>
			<Table
				caption={account.account}
				rows={account.keys}
				rowKey={({ id }) => id}
				isStacked
				columns={[
					{ title: t("dashboard.name"), cell: ({ name }) => name },
					{ title: t("dashboard.columnState"), cell: ({ state }) => t("dashboard.keyState", { state }) },
					{
						title: t("dashboard.columnCap"),
						cell: ({ cap }) => (cap ? t("dashboard.keyCap", cap) : t("dashboard.noLimit")),
					},
					{ title: t("dashboard.columnCreated"), cell: ({ createdAtMs }) => <Time atMs={createdAtMs} /> },
					...(mayRevoke
						? [
								{
									title: t("dashboard.columnAction"),
									cell: (key: Key) =>
										key.state === "revoked" ? "–" : <RevokeKey name={key.name} revoke={() => revoke(key)} />,
								},
							]
						: []),
				]}
			/>
		</Card>
	);
}
