/** The balance of the server, grants and revocations, and their journal. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import {
	CHANGE_CREDITS_MAX,
	ENTRY_KINDS,
	REASON_CHARS_MAX,
	REASON_CHARS_MIN,
	type Balance,
	type History,
} from "../../../src/schemas.ts";
import { addressOf } from "../addresses.ts";
import { useApp, useServer } from "../app-context.ts";
import { Card, Callout, MemberName, Time } from "../card.tsx";
import { afterFailure, amountOf, hasReason, newDraft } from "../credit-change.ts";
import { Choice, SelectField, TextField } from "../fields.tsx";
import { Icon } from "../icon.tsx";
import { MemberFilter } from "../member-filter.tsx";
import { PageHead } from "../page-head.tsx";
import { Loaded, MoreButton, usePages, useResource } from "../resource.tsx";
import { Table } from "../table.tsx";

type Entry = z.infer<typeof History>["entries"][number];
type Kind = (typeof ENTRY_KINDS)[number];
type Direction = "grant" | "revoke";

export function CreditsPage() {
	const { t, call } = useApp();
	const { params } = useServer();
	const changes = useSignal(0);
	const balance = useResource(async () => (await call("overview", { params })).balance, []);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "credits" })} />
			<div class="stack">
				<div class="columns">
					<Card title={t("dashboard.creditsLeft")} class="tile">
						<Loaded resource={balance} lines={2}>
							{(value) => <BalanceFigures balance={value} />}
						</Loaded>
					</Card>
					<ChangeCard
						onChanged={(value) => {
							balance.set(value);
							changes.value += 1;
						}}
					/>
				</div>
				<HistoryCard changes={changes.value} />
			</div>
		</>
	);
}

function BalanceFigures({ balance }: { readonly balance: z.infer<typeof Balance> }) {
	const { t, formats } = useApp();
	return (
		<>
			<p class="figure">{formats.number(balance.availableCredits)}</p>
			<ul class="figure-notes">
				{balance.heldCredits > 0 && <li>{t("dashboard.creditsReserved", { credits: balance.heldCredits })}</li>}
				{balance.expiring.map(({ credits, expiresAtMs }) => (
					<li key={expiresAtMs}>{t("dashboard.creditsExpire", { credits, date: formats.date(expiresAtMs) })}</li>
				))}
			</ul>
		</>
	);
}

function ChangeCard({ onChanged }: { readonly onChanged: (balance: z.infer<typeof Balance>) => void }) {
	const { t, call, notify, errorText } = useApp();
	const { params } = useServer();
	const direction = useSignal<Direction>("grant");
	const draft = useSignal(newDraft(crypto.randomUUID()));
	const isBusy = useSignal(false);
	const isChecked = useSignal(false);
	const error = useSignal("");
	const { amount, reason, isUncertain, operationId } = draft.value;
	const amountCredits = amountOf(draft.value);

	const send = async (): Promise<void> => {
		isChecked.value = true;
		if (amountCredits === null || !hasReason(draft.value)) return;
		isBusy.value = true;
		error.value = "";
		try {
			const body = { operationId, amountCredits, reason: reason.trim() };
			onChanged(await call(direction.value, { params, body }));
			notify(t("dashboard.creditsChanged", { kind: direction.value, credits: amountCredits }));
			draft.value = newDraft(crypto.randomUUID());
			isChecked.value = false;
		} catch (cause) {
			draft.value = afterFailure(draft.value, cause, crypto.randomUUID());
			error.value = draft.value.isUncertain ? t("dashboard.creditsUncertain") : errorText(cause);
		} finally {
			isBusy.value = false;
		}
	};
	return (
		<Card title={t("dashboard.changeCredits")}>
			<form
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<fieldset class="plain" disabled={isUncertain || isBusy.value}>
					<Choice<Direction>
						label={t("dashboard.changeCredits")}
						value={direction.value}
						options={(["grant", "revoke"] as const).map((kind) => [kind, t("dashboard.creditsVerb", { kind })])}
						onChange={(kind) => (direction.value = kind)}
					/>
					<TextField
						label={t("dashboard.amount")}
						inputMode="numeric"
						value={amount}
						error={
							isChecked.value && amountCredits === null
								? t("dashboard.limitInvalid", { min: 1, max: CHANGE_CREDITS_MAX })
								: undefined
						}
						onInput={(typed) => (draft.value = { ...draft.value, amount: typed })}
					/>
					<TextField
						label={t("dashboard.reason")}
						hint={t("dashboard.reasonHint")}
						maxLength={REASON_CHARS_MAX}
						value={reason}
						error={
							isChecked.value && !hasReason(draft.value)
								? t("dashboard.reasonInvalid", { min: REASON_CHARS_MIN, max: REASON_CHARS_MAX })
								: undefined
						}
						onInput={(typed) => (draft.value = { ...draft.value, reason: typed })}
					/>
				</fieldset>
				<div role="alert">{error.value !== "" && <Callout kind="danger">{error.value}</Callout>}</div>
				<div class="form-foot">
					{isUncertain && (
						<button
							type="button"
							class="button"
							onClick={() => {
								draft.value = newDraft(crypto.randomUUID());
								error.value = "";
								isChecked.value = false;
							}}
						>
							{t("dashboard.discard")}
						</button>
					)}
					<button type="submit" class="button primary" disabled={isBusy.value}>
						{isUncertain ? t("dashboard.retry") : t("dashboard.creditsVerb", { kind: direction.value })}
					</button>
				</div>
			</form>
		</Card>
	);
}

/** `changes`: the journal is read again when it grows. */
function HistoryCard({ changes }: { readonly changes: number }) {
	const { t, call, formats } = useApp();
	const { params } = useServer();
	const kind = useSignal<Kind | "">("");
	const userId = useSignal<string | null>(null);
	const filter = { kind: kind.value || undefined, userId: userId.value ?? undefined };
	const pages = usePages<Entry, number>(
		async (before) => {
			const { entries, nextBefore } = await call("history", { params, query: { ...filter, before } });
			return { items: entries, nextBefore };
		},
		[kind.value, userId.value, changes],
	);
	return (
		<Card
			title={t("dashboard.history")}
			tools={
				<a class="button small" href={addressOf("historyCsv", { params, query: filter })} download>
					<Icon name="download" />
					{t("dashboard.csv")}
				</a>
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
			<Loaded resource={pages}>
				{({ items }) =>
					items.length === 0 ? (
						<p class="empty">{t("dashboard.historyEmpty")}</p>
					) : (
						<Table
							caption={t("dashboard.history")}
							rows={items}
							rowKey={({ seq }) => seq}
							columns={[
								{ title: t("dashboard.columnTime"), cell: ({ atMs }) => <Time atMs={atMs} /> },
								{ title: t("dashboard.kind"), cell: (entry) => t("dashboard.entryKind", { kind: entry.kind }) },
								{
									title: t("dashboard.columnBy"),
									cell: (entry) => (entry.userId === null ? t("dashboard.byBot") : <MemberName id={entry.userId} />),
								},
								{ title: t("dashboard.reason"), cell: (entry) => entry.reason },
								{
									title: t("dashboard.columnCredits"),
									isNumber: true,
									cell: ({ amountCredits }) => formats.signed(amountCredits),
								},
								{
									title: t("dashboard.creditsLeft"),
									isNumber: true,
									cell: ({ ownedAfterCredits, heldAfterCredits }) =>
										formats.number(ownedAfterCredits - heldAfterCredits),
								},
							]}
						/>
					)
				}
			</Loaded>
			<MoreButton pages={pages} />
		</Card>
	);
}
