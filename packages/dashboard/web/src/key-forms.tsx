/** The form that creates a key and shows it once, and the button that revokes one. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { KEY_NAME } from "../../src/schemas/api-keys.ts";
import { isOutcomeUnknown } from "./api-error.ts";
import { useApp } from "./app-context.ts";
import { Callout, Card } from "./card.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { TextField, SignalField } from "./fields.tsx";
import { Form, SubmitButton, useIsMounted } from "./form.tsx";

interface CreateKeyProps {
	readonly nameCharsMax: number;
	/** Resolves to the key. */
	readonly create: (name: string) => Promise<string>;
	/** Runs after a lost response: the key may be in the list. */
	readonly onUncertain: () => void;
	/** A field before the name. */
	readonly field?: ComponentChildren;
	/** Notes below the form. */
	readonly children?: ComponentChildren;
}

export function CreateKey({ nameCharsMax, create, onUncertain, field, children }: CreateKeyProps) {
	const { t, notify } = useApp();
	const isMounted = useIsMounted();
	const name = useSignal("");
	const created = useSignal<string | null>(null);
	const createNamed = async (): Promise<void> => {
		created.value = null;
		const sent = name.value;
		try {
			created.value = await create(sent.trim());
		} catch (cause) {
			if (isOutcomeUnknown(cause)) onUncertain();
			throw cause;
		}
		if (!isMounted()) notify(t("dashboard.keyMissed", { name: sent.trim() }), { isError: true, hasMarkup: false });
		// The reader may have typed the name of the next key.
		if (name.value === sent) name.value = "";
	};
	return (
		<Card title={t("dashboard.keyCreate")}>
			<Form class="field-row" run={createNamed}>
				{field}
				<SignalField
					label={t("dashboard.name")}
					hint={t("dashboard.keyNameHint")}
					text={name}
					chars={[0, nameCharsMax]}
					problem={KEY_NAME.test(name.value) ? undefined : t("dashboard.keyNameInvalid")}
				/>
				<SubmitButton class="button primary">{t("dashboard.keyCreate")}</SubmitButton>
			</Form>
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
			<p role="alert">{t("dashboard.keyOnce")}</p>
			<div class="field-row" ref={row}>
				<TextField label={t("dashboard.keyNew")} value={text} readOnly onInput={() => {}} />
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
