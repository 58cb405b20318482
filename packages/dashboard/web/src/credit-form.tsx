/** The form that grants or revokes credits once, also if the response is lost. */
import { useSignal } from "@preact/signals";
import type { z } from "zod";
import { CHANGE_CREDITS_MAX, REASON_CHARS_MAX, REASON_CHARS_MIN } from "../../src/form-limits.ts";
import type { Balance as BalanceSchema, CreditChange } from "../../src/schemas.ts";
import { useApp } from "./app-context.ts";
import { Callout, Card } from "./card.tsx";
import { afterFailure, amountOf, hasReason, newDraft } from "./credit-change.ts";
import { Choice, TextField } from "./fields.tsx";
import { useAction } from "./load-data.tsx";
import { MentionText } from "./mention-text.tsx";

type Kind = "grant" | "revoke";
type Balance = z.infer<typeof BalanceSchema>;

interface CreditFormProps {
	readonly title: string;
	readonly kinds: readonly [Kind, ...Kind[]];
	readonly send: (kind: Kind, change: z.infer<typeof CreditChange>) => Promise<Balance>;
	readonly onChanged: (balance: Balance) => void;
}

export function CreditForm({ title, kinds, send, onChanged }: CreditFormProps) {
	const { t, notify, errorText } = useApp();
	const chosenKind = useSignal<Kind>(kinds[0]);
	const kind = kinds.includes(chosenKind.value) ? chosenKind.value : kinds[0];
	const draft = useSignal(newDraft(crypto.randomUUID()));
	const { isBusy, error, run } = useAction();
	/** Shows what is wrong with the fields, after the first attempt to submit. */
	const areErrorsShown = useSignal(false);
	const { amount, reason, isUncertain, operationId } = draft.value;
	const amountCredits = amountOf(draft.value);

	const change = async (credits: number): Promise<void> => {
		try {
			onChanged(await send(kind, { operationId, amountCredits: credits, reason: reason.trim() }));
		} catch (cause) {
			draft.value = afterFailure(draft.value, cause, crypto.randomUUID());
			throw cause;
		}
		notify(t("dashboard.creditsChanged", { kind, credits }));
		draft.value = newDraft(crypto.randomUUID());
		areErrorsShown.value = false;
	};
	const submit = (): void => {
		areErrorsShown.value = true;
		if (amountCredits !== null && hasReason(draft.value)) void run(() => change(amountCredits));
	};
	const failure = isUncertain ? t("dashboard.creditsUncertain") : error.value !== null && errorText(error.value);
	return (
		<Card title={title}>
			<form
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
			>
				<fieldset class="plain" disabled={isUncertain || isBusy.value}>
					{kinds.length > 1 && (
						<Choice<Kind>
							label={title}
							value={kind}
							options={kinds.map((each) => [each, t("dashboard.creditsVerb", { kind: each })])}
							onChange={(chosen) => (chosenKind.value = chosen)}
						/>
					)}
					<TextField
						label={t("dashboard.amount")}
						inputMode="numeric"
						value={amount}
						error={
							areErrorsShown.value && amountCredits === null
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
							areErrorsShown.value && !hasReason(draft.value)
								? t("dashboard.reasonInvalid", { min: REASON_CHARS_MIN, max: REASON_CHARS_MAX })
								: undefined
						}
						onInput={(typed) => (draft.value = { ...draft.value, reason: typed })}
					/>
				</fieldset>
				<div role="alert">
					{failure !== false && (
						<Callout kind="danger">
							<MentionText text={failure} />
						</Callout>
					)}
				</div>
				<div class="form-foot">
					{isUncertain && (
						<button
							type="button"
							class="button"
							onClick={() => {
								draft.value = newDraft(crypto.randomUUID());
								error.value = null;
								areErrorsShown.value = false;
							}}
						>
							{t("dashboard.discard")}
						</button>
					)}
					<button type="submit" class="button primary" disabled={isBusy.value}>
						{isUncertain ? t("dashboard.retry") : t("dashboard.creditsVerb", { kind })}
					</button>
				</div>
			</form>
		</Card>
	);
}
