/** The form that creates a key and shows it once, and the button that revokes one. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isOutcomeUnknown } from "./api-error.ts";
import { useApp } from "./app-context.ts";
import { Callout, Card } from "./card.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { TextField } from "./fields.tsx";
import { useAction } from "./load-data.tsx";

interface CreateKeyProps {
	readonly nameCharsMax: number;
	/** Resolves to the key. */
	readonly create: (name: string) => Promise<string>;
	/** Returns `false` if another field must be filled in first. */
	readonly canCreate?: () => boolean;
	/** Runs after a lost response: the key may be in the list. */
	readonly onUncertain: () => void;
	/** A field before the name. */
	readonly field?: ComponentChildren;
	/** Notes below the form. */
	readonly children?: ComponentChildren;
}

export function CreateKey({ nameCharsMax, create, canCreate, onUncertain, field, children }: CreateKeyProps) {
	const { t, errorText } = useApp();
	const name = useSignal("");
	const created = useSignal<string | null>(null);
	const isNameInvalid = useSignal(false);
	const { isBusy, error, run } = useAction();
	const createNamed = async (): Promise<void> => {
		created.value = null;
		try {
			created.value = await create(name.value.trim());
		} catch (cause) {
			if (isOutcomeUnknown(cause)) onUncertain();
			throw cause;
		}
		name.value = "";
	};
	const submit = (event: Event): void => {
		event.preventDefault();
		const mayRun = canCreate?.() ?? true;
		isNameInvalid.value = !/[\p{L}\p{N}]/u.test(name.value);
		if (mayRun && !isNameInvalid.value) void run(createNamed);
	};
	const failure = error.value === null ? undefined : errorText(error.value);
	return (
		<Card title={t("dashboard.keyCreate")}>
			<form class="field-row" noValidate onSubmit={submit}>
				{field}
				<TextField
					label={t("dashboard.name")}
					hint={t("dashboard.keyNameHint")}
					value={name.value}
					maxLength={nameCharsMax}
					error={isNameInvalid.value ? t("dashboard.keyNameInvalid") : failure}
					onInput={(typed) => (name.value = typed)}
				/>
				<button type="submit" class="button primary" disabled={isBusy.value}>
					{t("dashboard.keyCreate")}
				</button>
			</form>
			{created.value !== null && <NewKey text={created.value} />}
			{children}
		</Card>
	);
}

function NewKey({ text }: { readonly text: string }) {
	const { t, notify } = useApp();
	const row = useRef<HTMLDivElement>(null);
	const select = (): void => row.current?.querySelector("input")?.select();
	// Readers who cannot copy by the button find the key selected.
	useEffect(select, [text]);
	const copy = async (): Promise<void> => {
		try {
			await navigator.clipboard.writeText(text);
			notify(t("dashboard.copied"));
		} catch {
			select();
		}
	};
	return (
		<Callout kind="info">
			<p role="status">{t("dashboard.keyOnce")}</p>
			<div class="field-row" ref={row}>
				<TextField label={t("dashboard.keyNew")} value={text} isReadOnly onInput={() => {}} />
				<button type="button" class="button" onClick={() => void copy()}>
					{t("dashboard.copy")}
				</button>
			</div>
		</Callout>
	);
}

interface RevokeKeyProps {
	readonly name: string;
	readonly revoke: () => Promise<void>;
}

export function RevokeKey({ name, revoke }: RevokeKeyProps) {
	const { t, notify } = useApp();
	const run = async (): Promise<void> => {
		await revoke();
		notify(t("dashboard.keyRevoked", { name }));
	};
	return (
		<ConfirmButton
			class="button small danger"
			title={t("dashboard.keyRevokeTitle", { name })}
			text={t("dashboard.keyRevokeText")}
			action={t("dashboard.keyRevoke")}
			run={run}
		/>
	);
}
