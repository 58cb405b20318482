/** A button that revokes a key, after it has asked. */
import { useApp } from "./app-context.ts";
import { ConfirmButton } from "./confirm-dialog.tsx";

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
