/** The accounts and keys of the built-in studio. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import { STUDIO_KEY_NAME_CHARS_MAX } from "../../../src/form-limits.ts";
import { ACCOUNT_NAME, type OperatorStudio } from "../../../src/schemas/operator.ts";
import { isOutcomeUnknown } from "../api-error.ts";
import { useApp, useMayWrite } from "../app-context.ts";
import { Callout, Card, Time } from "../card.tsx";
import { TextField } from "../fields.tsx";
import { MentionText } from "../mention-text.tsx";
import { NewKey } from "../new-key.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, useAction, useResource } from "../load-data.tsx";
import { RevokeKey } from "../revoke-key.tsx";
import { Table } from "../table.tsx";

type Studio = z.infer<typeof OperatorStudio>;
type Account = Studio["accounts"][number];
type Key = Account["keys"][number];
type SetStudio = (studio: Studio) => void;

export function StudioPage() {
	const { t, call } = useApp();
	const studio = useResource(() => call("operatorStudio"), []);
	return (
		<>
			<PageHead title={t("dashboard.operatorPage", { page: "studio" })} lead={t("dashboard.studioLead")} />
			<Loaded resource={studio} lines={8}>
				{(value) =>
					value.isBuiltIn ? (
						<BuiltIn studio={value} onChanged={studio.set} reload={studio.reload} />
					) : (
						<Elsewhere studio={value} />
					)
				}
			</Loaded>
		</>
	);
}

/** Only the commands on the studio's own machine reach its store. */
function Elsewhere({ studio: { commandLine } }: { readonly studio: Studio }) {
	const { t } = useApp();
	const commands = ["accounts list", "keys list", "keys create ACCOUNT --name NAME"];
	return (
		<Card title={t("dashboard.operatorPage", { page: "studio" })}>
			<p>{t("dashboard.studioElsewhere")}</p>
			<pre class="commands">{commands.map((command) => `${commandLine} ${command}`).join("\n")}</pre>
		</Card>
	);
}

interface BuiltInProps {
	readonly studio: Studio;
	readonly onChanged: SetStudio;
	readonly reload: () => void;
}

function BuiltIn({ studio, onChanged, reload }: BuiltInProps) {
	const { t } = useApp();
	const mayWrite = useMayWrite();
	return (
		<div class="stack">
			{mayWrite && <CreateCard onCreated={onChanged} onUncertain={reload} />}
			{studio.isTruncated && <Callout kind="info">{t("dashboard.studioTruncated")}</Callout>}
			{studio.accounts.length === 0 && <p class="empty">{t("dashboard.accountsEmpty")}</p>}
			{studio.accounts.map((account) => (
				<AccountCard
					key={account.account}
					account={account}
					mayRevoke={mayWrite && !account.isInternal}
					onChanged={onChanged}
				/>
			))}
		</div>
	);
}

interface CreateCardProps {
	readonly onCreated: SetStudio;
	/** Runs after a lost response: the key may be in the list. */
	readonly onUncertain: () => void;
}

function CreateCard({ onCreated, onUncertain }: CreateCardProps) {
	const { t, call, errorText } = useApp();
	const account = useSignal("");
	const name = useSignal("");
	const created = useSignal<string | null>(null);
	/** Shows what is wrong with the fields, after the first attempt to submit. */
	const areErrorsShown = useSignal(false);
	const creation = useAction();
	const isAccount = ACCOUNT_NAME.test(account.value);
	const isName = name.value.trim() !== "";

	const create = async (): Promise<void> => {
		created.value = null;
		const body = { account: account.value, name: name.value.trim() };
		const { key, ...studio } = await call("createStudioKey", { body }).catch((error: unknown) => {
			if (isOutcomeUnknown(error)) onUncertain();
			throw error;
		});
		created.value = key;
		name.value = "";
		areErrorsShown.value = false;
		onCreated(studio);
	};
	const submit = (event: Event): void => {
		event.preventDefault();
		areErrorsShown.value = true;
		if (isAccount && isName) void creation.run(create);
	};
	return (
		<Card title={t("dashboard.keyCreate")}>
			<form class="form" noValidate onSubmit={submit}>
				<TextField
					label={t("dashboard.columnAccount")}
					hint={t("dashboard.accountHint")}
					value={account.value}
					error={areErrorsShown.value && !isAccount ? t("dashboard.accountInvalid") : undefined}
					onInput={(typed) => (account.value = typed)}
				/>
				<TextField
					label={t("dashboard.name")}
					hint={t("dashboard.keyNameHint")}
					value={name.value}
					maxLength={STUDIO_KEY_NAME_CHARS_MAX}
					error={areErrorsShown.value && !isName ? t("dashboard.keyNameInvalid") : undefined}
					onInput={(typed) => (name.value = typed)}
				/>
				<div role="alert">
					{creation.error.value !== null && (
						<Callout kind="danger">
							<MentionText text={errorText(creation.error.value)} />
						</Callout>
					)}
				</div>
				<div class="form-foot">
					<button type="submit" class="button primary" disabled={creation.isBusy.value}>
						{t("dashboard.keyCreate")}
					</button>
				</div>
			</form>
			{created.value !== null && <NewKey text={created.value} />}
		</Card>
	);
}

interface AccountCardProps {
	readonly account: Account;
	readonly mayRevoke: boolean;
	readonly onChanged: SetStudio;
}

function AccountCard({ account, mayRevoke, onChanged }: AccountCardProps) {
	const { t, call } = useApp();
	const revoke = async ({ id }: Key): Promise<void> => {
		onChanged(await call("revokeStudioKey", { params: { key: id } }));
	};
	return (
		<Card
			title={account.account}
			lead={t("dashboard.credits", { credits: account.availableCredits })}
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
