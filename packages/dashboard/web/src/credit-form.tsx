/** The form that grants or revokes credits once, also if the response is lost. */
import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { CHANGE_CREDITS_MAX, REASON_CHARS_MAX, REASON_CHARS_MIN } from "../../src/limits.ts";
import type { Balance, CreditChangeBody } from "../../src/schemas/credits.ts";
import { ApiError } from "./api-error.ts";
import { useApp } from "./app-context.ts";
import { Card } from "./card.tsx";
import {
	afterFailure,
	afterSuccess,
	amountOf,
	newDraft,
	type CreditChangeDraft,
	type CreditChangeKind,
} from "./credit-change.ts";
import { Choice, TextField } from "./fields.tsx";
import { Form, SubmitButton, useIsMounted } from "./form.tsx";
import { useKeptFocus } from "./keep-focus.ts";

interface CreditFormProps {
	/** Stays when the reader leaves the page, also while it is sent. */
	readonly draft: Signal<CreditChangeDraft>;
	readonly title: string;
	readonly kinds: readonly [CreditChangeKind, ...CreditChangeKind[]];
	readonly send: (kind: CreditChangeKind, change: CreditChangeBody) => Promise<Balance>;
	readonly onChanged: (balance: Balance) => void;
}

export function CreditForm({ draft, title, kinds, send, onChanged }: CreditFormProps) {
	const { t, notify } = useApp();
	const { amount, reason, isUncertain } = draft.value;
	// A reader who has lost the right to grant is refused: the typed amount must not be revoked instead.
	const isEmpty = amount === "" && reason === "";
	const kind = isEmpty && !kinds.includes(draft.value.kind) ? kinds[0] : draft.value.kind;
	const offeredKinds = kinds.includes(kind) ? kinds : [kind, ...kinds];
	const amountCredits = amountOf(draft.value);
	const isMounted = useIsMounted();
	const part = useRef<HTMLDivElement>(null);
	// The button that discards the draft is gone.
	useKeptFocus(part, (element) => element.querySelector<HTMLElement>("[inputmode=numeric]")?.focus());

	const change = async (): Promise<void> => {
		if (amountCredits === null || draft.value.isSending) return;
		draft.value = { ...draft.value, kind, isSending: true };
		const sent = draft.value;
		try {
			onChanged(await send(kind, { operationId: sent.operationId, amountCredits, reason: sent.reason.trim() }));
		} catch (cause) {
			draft.value = afterFailure({ draft: draft.value, sent }, cause, crypto.randomUUID());
			if (!draft.value.isUncertain) throw cause;
			const message = t(isMounted() ? "web.creditsUncertain" : "dashboard.creditsUncertainLeft");
			throw new ApiError(null, "outcome_unknown", message, { cause });
		}
		draft.value = afterSuccess({ draft: draft.value, sent }, crypto.randomUUID());
		notify(t("dashboard.creditsChanged", { kind, credits: amountCredits }));
	};
	const discard = (): void => {
		draft.value = newDraft(crypto.randomUUID(), kind);
	};
	return (
		<Card title={title}>
			<div ref={part}>
				<Form run={change} onReset={discard} note={isUncertain ? t("web.creditsUncertain") : undefined}>
					<fieldset class="form" disabled={isUncertain}>
						{offeredKinds.length > 1 && (
							<Choice<CreditChangeKind>
								label={title}
								value={kind}
								options={offeredKinds.map((each) => [each, t("dashboard.creditsVerb", { kind: each })])}
								onChange={(chosen) => (draft.value = { ...draft.value, kind: chosen })}
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
							chars={[REASON_CHARS_MIN, REASON_CHARS_MAX]}
							value={reason}
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
							{isUncertain ? t("dashboard.retry") : t("dashboard.creditsVerb", { kind })}
						</SubmitButton>
					</div>
				</Form>
			</div>
		</Card>
	);
}
