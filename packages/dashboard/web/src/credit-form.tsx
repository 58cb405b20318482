/** The form that grants or revokes credits once, also if the response is lost. */
import { useSignal } from "@preact/signals";
import { CHANGE_CREDITS_MAX, REASON_CHARS_MAX, REASON_CHARS_MIN } from "../../src/form-limits.ts";
import type { Balance, CreditChange } from "../../src/schemas.ts";
import { ApiError } from "./api-error.ts";
import { useApp } from "./app-context.ts";
import { Card } from "./card.tsx";
import { afterFailure, amountOf, hasReason, newDraft } from "./credit-change.ts";
import { Choice, TextField } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";

type Kind = "grant" | "revoke";

interface CreditFormProps {
	readonly title: string;
	readonly kinds: readonly [Kind, ...Kind[]];
	readonly send: (kind: Kind, change: CreditChange) => Promise<Balance>;
	readonly onChanged: (balance: Balance) => void;
}

export function CreditForm({ title, kinds, send, onChanged }: CreditFormProps) {
	const { t, notify } = useApp();
	const kind = useSignal<Kind>(kinds[0]);
	const draft = useSignal(newDraft(crypto.randomUUID()));
	const { amount, reason, isUncertain, operationId } = draft.value;
	const amountCredits = amountOf(draft.value);
	const startAnew = (): void => void (draft.value = newDraft(crypto.randomUUID()));

	const change = async (): Promise<void> => {
		if (amountCredits === null) return;
		try {
			onChanged(await send(kind.value, { operationId, amountCredits, reason: reason.trim() }));
		} catch (cause) {
			draft.value = afterFailure(draft.value, cause, crypto.randomUUID());
			if (!draft.value.isUncertain) throw cause;
			throw new ApiError(null, "outcome_unknown", t("dashboard.creditsUncertain"), { cause });
		}
		notify(t("dashboard.creditsChanged", { kind: kind.value, credits: amountCredits }));
		startAnew();
	};
	return (
		<Card title={title}>
			<Form run={change} onReset={startAnew}>
				<fieldset class="plain" disabled={isUncertain}>
					{kinds.length > 1 && (
						<Choice<Kind>
							label={title}
							value={kind.value}
							options={kinds.map((each) => [each, t("dashboard.creditsVerb", { kind: each })])}
							onChange={(chosen) => (kind.value = chosen)}
						/>
					)}
					<TextField
						label={t("dashboard.amount")}
						inputMode="numeric"
						value={amount}
						problem={
							amountCredits === null ? t("dashboard.limitInvalid", { min: 1, max: CHANGE_CREDITS_MAX }) : undefined
						}
						onInput={(typed) => (draft.value = { ...draft.value, amount: typed })}
					/>
					<TextField
						label={t("dashboard.reason")}
						hint={t("dashboard.reasonHint")}
						maxLength={REASON_CHARS_MAX}
						value={reason}
						problem={
							hasReason(draft.value)
								? undefined
								: t("dashboard.reasonInvalid", { min: REASON_CHARS_MIN, max: REASON_CHARS_MAX })
						}
						onInput={(typed) => (draft.value = { ...draft.value, reason: typed })}
					/>
				</fieldset>
				<div class="form-foot">
					{isUncertain && (
						<button type="reset" class="button">
							{t("dashboard.discard")}
						</button>
					)}
					<SubmitButton class="button primary">
						{isUncertain ? t("dashboard.retry") : t("dashboard.creditsVerb", { kind: kind.value })}
					</SubmitButton>
				</div>
			</Form>
		</Card>
	);
}
